package dev.millrace.scheduler.database;

import static java.util.Objects.requireNonNull;

import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.Select;
import org.jooq.impl.DSL;

/**
 * A query by key whose text is rendered once, and whose plan is made once. Rendering and planning it at each call would
 * cost several times its execution, which matters for queries of each submission.
 */
public final class FixedQuery {
    private final String sql;
    private final Field<?>[] fields;

    /**
     * @param select names each field that it selects; its values are parameters ({@link DSL#param(String, Class)}),
     *     bound at each call in the order in which they occur in the text
     */
    public FixedQuery(Select<?> select) {
        requireNonNull(select, "select");
        this.sql = DSL.using(SQLDialect.POSTGRES).render(select);
        this.fields = selected(select);
    }

    /**
     * @param sql with a question mark for each value
     * @param fields columns of the result
     */
    public FixedQuery(String sql, Field<?>... fields) {
        this.sql = requireNonNull(sql, "sql");
        this.fields = fields.clone();
    }

    /**
     * The selected objects themselves, so that a row finds the value of a field by identity. {@link Select#fields} has
     * copies with the alias of a derived table: a row would compare names at each access.
     */
    private static Field<?>[] selected(Select<?> select) {
        var selected = select.$select();
        if (selected.isEmpty() || !selected.stream().allMatch(Field.class::isInstance)) {
            throw new IllegalArgumentException(
                    "The query does not name each field that it selects. Name them: " + select);
        }
        return selected.toArray(Field<?>[]::new);
    }

    String sql() {
        return sql;
    }

    Field<?>[] fields() {
        return fields;
    }
}
