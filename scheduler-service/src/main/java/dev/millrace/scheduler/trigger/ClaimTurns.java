package dev.millrace.scheduler.trigger;

/**
 * Claims of rows whose earlier claims have expired, for a few workspaces at a time, so that a workspace with many rows
 * holds up no other one. Workspaces are found one after another in an index on {@code (workspace, claimed_until)}, so
 * many rows of one take no time.
 */
public final class ClaimTurns {
    private ClaimTurns() {}

    /**
     * How much is claimed of a workspace at a time.
     *
     * @param rowsMax maximum number of rows
     * @param bytesMax bytes of the rows, after which there is one more
     */
    public record Share(int rowsMax, long bytesMax) {}

    /**
     * Returns a {@code with} clause whose last table, {@code chosen}, has the keys of the rows to claim. It binds the
     * names of the workspaces to pass over, the maximum number of workspaces, and the fields of a {@link Share}.
     *
     * @param keys columns of the primary key, with commas
     * @param bytes SQL expression of what a row counts
     */
    public static String choose(String table, String keys, String bytes) {
        return """
            with recursive claiming(workspace) as (
                (select workspace from $table where claimed_until is not null order by workspace limit 1)
                union all
                select (select r.workspace from $table r where r.claimed_until is not null and r.workspace > c.workspace
                    order by r.workspace limit 1)
                from claiming c where c.workspace is not null
            ), turns as (
                select c.workspace from claiming c
                where c.workspace <> all (?::text[])
                    and exists (select from $table r where r.workspace = c.workspace and r.claimed_until <= now())
                order by random() limit ?
            ), expired as (
                select e.* from turns t cross join lateral (
                    select workspace, $keys, claimed_until, $bytes as bytes from $table
                    where workspace = t.workspace and claimed_until <= now() order by claimed_until limit ? for update skip locked
                ) e
            ), summed as (
                select *, sum(bytes) over (partition by workspace order by claimed_until, $keys) - bytes as before from expired
            ), chosen as (
                select * from summed where before < ?
            )
            """.replace("$table", table).replace("$keys", keys).replace("$bytes", bytes);
    }
}
