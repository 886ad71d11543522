package dev.millrace.scheduler.database;

import static java.util.Objects.requireNonNull;

import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.Select;
import org.jooq.impl.DSL;

/**
 * A query whose text is made once, and whose plan is: one that finds rows by key. To build and plan it anew each time costs several times
 * what running it does, which counts where each submission needs it.
 */
public final class FixedQuery {
    private final String sql;
    private final Field<?>[] fields;

    /**
     * @param select its values are parameters ({@link DSL#param(String, Class)}), given at each call in the order in which the text has them
     */
    public FixedQuery(Select<?> select) {
        requireNonNull(select, "select");
        this.sql = DSL.using(SQLDialect.POSTGRES).render(select);
        this.fields = select.fields();
    }

    /**
     * @param sql with a question mark for each value
     * @param fields what it returns
     */
    public FixedQuery(String sql, Field<?>... fields) {
        this.sql = requireNonNull(sql, "sql");
        this.fields = fields.clone();
    }

    String sql() {
        return sql;
    }

    Field<?>[] fields() {
        return fields;
    }
}
