-- Finds the subscriptions that were never disposed, in all logs of a fleet at once, and the logs
-- that prove nothing.
--
--   duckdb -c "set variable logs = 'logs/*.jsonl'" -f leaks.duckdb.sql
--
-- The script reads each log once. Its answers agree with those of `trace-viewer check`. README.md
-- says how it works.

-- One row for each file and subscription: what the file says about the subscription. The row in
-- which sub and place are null says something about the file itself.
create or replace temp table digest as
select
  filename as file,
  case when event in (
    'subscribe', 'alive', 'next', 'breakpoint', 'completed', 'failed', 'disposed', 'released')
    then sub end as sub,
  case when event = 'place' then lane end as place,
  count(t) as records,
  count(*) - count(t) as damaged,
  min(t) as first_t,
  max(t) as last_t,
  count(*) filter (where event = 'trace') as headers,
  max(version) as version,
  max(trace) as trace,
  max(process) as process,
  max(pid) as pid,
  max(host) as host,
  max(segment) filter (where event = 'trace') as segment,
  bool_or(event = 'end') as ends,
  bool_or(event = 'continued') as continues,
  min(records) filter (where event in ('end', 'continued')) as counted,
  greatest(
    sum(coalesce("count", 1)) filter (where event = 'lost'),
    max(lost) filter (where event in ('end', 'continued'))) as lost,
  coalesce(max(lane) filter (where event in ('subscribe', 'alive')), max(lane)) as lane,
  max(source) as source,
  max("function") as "function",
  bool_or(op = 'observe') as unnamed,
  bool_or(lifetime = 'process') as until_exit,
  bool_or(event in ('completed', 'failed', 'disposed', 'released')) as ended
from read_json(
  getvariable('logs'), format = 'newline_delimited', filename = true, ignore_errors = true,
  columns = {
    t: 'BIGINT', event: 'VARCHAR', version: 'BIGINT', trace: 'VARCHAR', process: 'VARCHAR',
    pid: 'BIGINT', host: 'VARCHAR', segment: 'BIGINT', sub: 'BIGINT', lane: 'VARCHAR',
    op: 'VARCHAR', source: 'VARCHAR', "function": 'VARCHAR', lifetime: 'VARCHAR',
    "count": 'BIGINT', records: 'BIGINT', lost: 'BIGINT'})
group by 1, 2, 3;

-- One row for each file. Its first line connects it to its log: the files of one log share the
-- trace id.
create or replace temp view files as
select
  file,
  coalesce(max(trace), file) as trace,
  nullif(max(process), '-') as process,
  nullif(max(pid), 0) as pid,
  nullif(max(host), '-') as host,
  greatest(coalesce(max(segment), 1), 1) as segment,
  sum(headers) as headers,
  max(version) as version,
  max(last_t) as last_t,
  sum(damaged) as damaged,
  bool_or(ends) as ends,
  bool_or(continues) as continues,
  coalesce(max(lost), 0) as lost,
  max(counted) as counted,
  greatest(max(counted) - (sum(records) - 1), 0) as missing
from digest
group by file;

-- The same rows, with the newest segment of the log, and the segment since which none is missing.
-- That segment begins with all live subscriptions, so the beginnings in older segments do not
-- matter.
create or replace temp view segments as
select
  *,
  max(segment) over (partition by trace) as newest,
  max(case when before is null or segment > before + 1 then segment end)
    over (partition by trace) as unbroken
from (select *, lag(segment) over (partition by trace order by segment) as before from files);

-- One row for each log.
create or replace temp view logs as
select
  trace,
  max(process) as process,
  max(pid) as pid,
  max(host) as host,
  count(*) as files,
  max(last_t) as last_t,
  min(unbroken) as unbroken,
  nullif(concat_ws(', and ',
    case when not bool_or(coalesce(ends, false) and segment = newest) then
      case when bool_or(coalesce(continues, false) and segment = newest)
        then 'the log continues in another file, which was not read'
        else 'the process did not write the end of its log' end end,
    case when sum(lost) > 0 then concat('the recorder could not write records: ', sum(lost)) end,
    case when sum(missing) > 0
      then concat('records that the recorder wrote are missing: ', sum(missing)) end,
    case when bool_or(damaged > 0 and ends and counted is null)
      then 'damaged lines were skipped' end,
    case when max(headers) > 1 then 'another log begins in the same file' end,
    case when max(version) > 1 then 'it has a newer version of the format' end
  ), '') as doubt
from segments
group by trace;

-- One row for each subscription that was alive when its log stopped, and that was not declared to
-- live until exit.
create or replace temp view suspects as
select
  subscriptions.trace,
  sub,
  greatest(logs.last_t - begun, 0) as age,
  coalesce(places.source, places."function", lane, subscriptions.source, '(no lane)') as lane,
  coalesce(places.source, subscriptions.source) as source,
  coalesce(places."function", subscriptions."function") as "function"
from (
  select
    segments.trace, sub, min(first_t) as begun, max(segments.segment) as seen, max(lane) as lane,
    max(source) as source,
    max("function") as "function", bool_or(coalesce(unnamed, false)) as unnamed
  from digest join segments using (file)
  where sub is not null
  group by segments.trace, sub
  having not bool_or(coalesce(ended, false)) and not bool_or(coalesce(until_exit, false))
) as subscriptions
join logs on logs.trace = subscriptions.trace
left join (
  select segments.trace, place, max(source) as source, max("function") as "function"
  from digest join segments using (file)
  where place is not null
  group by segments.trace, place
) as places on places.trace = subscriptions.trace and place = lane and unnamed
where seen >= unbroken;

-- One row for each lane that leaks.
create or replace temp view leaks as
select
  process, pid, host, lane, source, "function", count(*) as undisposed,
  max(age) / 1e9 as oldest_seconds, logs.trace
from suspects join logs on logs.trace = suspects.trace
where doubt is null
group by logs.trace, process, pid, host, lane, source, "function";

-- One row for each log that proves nothing: the process might still have disposed the subscriptions
-- that were left.
create or replace temp view proves_nothing as
select process, pid, host, doubt, coalesce(still_active, 0) as still_active, files, logs.trace
from logs
left join (
  select trace, count(*) as still_active from suspects group by trace
) as counts on counts.trace = logs.trace
where doubt is not null;

select * from leaks order by undisposed desc, oldest_seconds desc, process, trace, lane;

select * from proves_nothing order by process, trace;
