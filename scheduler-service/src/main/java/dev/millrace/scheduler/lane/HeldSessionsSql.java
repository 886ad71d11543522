package dev.millrace.scheduler.lane;

/**
 * The check, inside a statement that leases jobs, that this scheduler still holds the sessions of the leases.
 *
 * <p>If the connection of a worker goes silent, the worker resumes its session at another scheduler long before this
 * one notices. Jobs that this one leased to the session would never be sent. A plain read suffices: if a flush reads
 * the row just before the session moves, the new holder finds its leases when it next compares them with the database.
 * For the same reason the row of an ended session stays for a while.
 */
final class HeldSessionsSql {
    private HeldSessionsSql() {}

    /**
     * SQL value that rejects the flush if another scheduler than the parameter holds a session of {@code leases}, rows
     * with a {@code session_id}.
     */
    static String check(String leases) {
        return """
                expect_sessions_held((
                    select count(*) from (select distinct session_id from %s where session_id is not null) l
                    where (select s.holder from worker_session s where s.id = l.session_id and s.ended_at is null) is distinct from ?))
                """.formatted(leases).strip();
    }
}
