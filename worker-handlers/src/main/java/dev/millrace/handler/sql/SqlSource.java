package dev.millrace.handler.sql;

import java.sql.SQLException;

/** The database of a job, before the job uses it. */
interface SqlSource {
    /** Opens a session, which only this job uses. */
    SqlSession open() throws SQLException;

    /** The database in words, without secrets. */
    String inWords();
}
