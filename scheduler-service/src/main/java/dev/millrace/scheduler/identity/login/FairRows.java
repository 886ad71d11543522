package dev.millrace.scheduler.identity.login;

/**
 * Keeps a table within a number of rows that strangers may add. If there are more, the site that has added the most loses its
 * oldest ones. So a stranger fills the table and displaces nobody else.
 */
final class FairRows {
    /** Maximum number of rows that have not expired. */
    static final int ROWS_MAX = 10_000;

    private FairRows() {}

    /**
     * The statement that removes what is beyond the number of rows that is its only parameter.
     *
     * @param table with the columns {@code site} and {@code expires_at}
     * @param key its primary key
     */
    static String makingRoomIn(String table, String key) {
        return """
                delete from %1$s where %2$s in (
                    select %2$s from %1$s
                    where expires_at > now() and site = (
                        select site from %1$s where expires_at > now() group by site order by count(*) desc, min(expires_at) limit 1)
                    order by expires_at
                    limit (select greatest(count(*) - ?, 0) from %1$s where expires_at > now()))
                """.formatted(table, key);
    }
}
