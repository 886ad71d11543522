package dev.millrace.scheduler.database;

import static dev.millrace.scheduler.database.tables.Tables.JOB_HISTORY;
import static dev.millrace.scheduler.database.tables.Tables.RUN_OPTION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectFrom;

import org.junit.jupiter.api.Test;

class FixedQueryTest {
    /** Rows find values by identity. Copies of the fields would be found only by their names. */
    @Test
    void keepsTheSelectedFieldsThemselves() {
        FixedQuery query = new FixedQuery(select(JOB_HISTORY.ID, RUN_OPTION.ENV)
                .from(JOB_HISTORY)
                .leftJoin(RUN_OPTION)
                .on(RUN_OPTION.RUN_ID.eq(JOB_HISTORY.ID)));

        assertThat(query.fields())
                .satisfiesExactly(
                        id -> assertThat(id).isSameAs(JOB_HISTORY.ID),
                        env -> assertThat(env).isSameAs(RUN_OPTION.ENV));
    }

    @Test
    void refusesAQueryThatDoesNotNameItsFields() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FixedQuery(selectFrom(JOB_HISTORY)))
                .withMessageContaining("does not name each field");
    }
}
