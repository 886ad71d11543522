package dev.millrace.scheduler.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.scheduler.config.DatabaseConfig;
import dev.millrace.scheduler.config.DatabaseLocation;
import dev.millrace.scheduler.testing.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SchemaMigrationTest {
    private final TestDatabase database = TestDatabase.empty();

    @AfterEach
    void dropDatabase() {
        database.close();
    }

    @Test
    void createsTheSchemaAndFindsItAgain() {
        database.open().close();

        try (Database again = database.open()) {
            assertThat(again.answers()).isTrue();
        }
    }

    @Test
    void refusesAnOlderSchemaWhereItMayNotMigrate() {
        DatabaseConfig config = new DatabaseConfig(database.config().location(), 2, false);

        assertThatThrownBy(() -> Database.open(config).close())
                .hasMessageContaining("The schema is at version none")
                .hasMessageContaining("millrace.database.migrate=true");
    }

    @Test
    void refusesANewerSchema() {
        database.open().close();
        database.execute(
                "insert into flyway_schema_history (installed_rank, version, description, type, script, checksum, installed_by, execution_time, success)"
                        + " values (1000, '999', 'later', 'SQL', 'V999__later.sql', 1, 'test', 1, true)");

        assertThatThrownBy(() -> database.open().close())
                .hasMessageContaining("The schema is at version 999, made by a newer Millrace")
                .hasMessageContaining("start the newer version");
    }

    @Test
    void refusesADatabaseOfAnotherProgram() {
        database.execute("create table customer (id integer)");

        assertThatThrownBy(() -> database.open().close()).hasMessageContaining("use an empty database");
    }

    @Test
    void saysWhatIsWrongWithTheConnection() {
        DatabaseLocation location = database.config().location();
        String elsewhere = location.jdbcUrl().replaceFirst("/[^/?]*(\\?|$)", "/no_such_database$1");

        assertThatThrownBy(() -> open(new DatabaseLocation(elsewhere, location.user(), location.password())))
                .hasMessageContaining("no database")
                .hasMessageContaining("create it");
        assertThatThrownBy(() -> open(new DatabaseLocation("jdbc:postgresql://localhost:1/x", "ada", "secret")))
                .hasMessageContaining("No database answers at localhost:1/x")
                .hasMessageNotContaining("secret");
    }

    private static void open(DatabaseLocation location) {
        Database.open(new DatabaseConfig(location, 2, true)).close();
    }
}
