/// The innermost event that the calling thread delivers, which only Introspection.swift uses.
void *traced_delivery(void);
void traced_set_delivery(void *delivery);
