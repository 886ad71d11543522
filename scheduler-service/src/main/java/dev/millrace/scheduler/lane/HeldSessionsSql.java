package dev.millrace.scheduler.lane;

/**
 * The check, inside the statement that leases jobs, that this scheduler still holds their sessions. A worker whose link goes silent resumes
 * its session at another scheduler long before this one notices; what were leased to it here, nobody would ever send. A plain read is enough:
 * what a flush leases that read the row just before the session moved, the new holder finds when it next compares its leases with the database; a
 * session that has ended stays for a while for the same reason.
 */
final class HeldSessionsSql {
    private HeldSessionsSql() {}

    /** A value that refuses the flush if a session of {@code leases}, a list of rows with {@code session_id}, is held by another than the parameter. */
    static String check(String leases) {
        return """
                expect_sessions_held((
                    select count(*) from (select distinct session_id from %s where session_id is not null) l
                    where (select s.holder from worker_session s where s.id = l.session_id and s.ended_at is null) is distinct from ?))
                """.formatted(leases).strip();
    }
}
