// Tests of the viewer stand in folders that mirror its sources.
