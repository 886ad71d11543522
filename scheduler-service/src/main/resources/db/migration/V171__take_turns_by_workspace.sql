-- Schedulers take occurrences and messages of each workspace in turn, so that a flood of one holds up no other.
create index trigger_start_due on trigger_start (workspace, claimed_until) where claimed_until is not null;
create index event_execution_due on event_execution (workspace, claimed_until) where claimed_until is not null;
