package dev.millrace.scheduler.database;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import dev.millrace.proto.trigger.v1.KafkaSource;
import dev.millrace.proto.trigger.v1.WebhookSource;
import dev.millrace.scheduler.config.DatabaseLocation;
import dev.millrace.scheduler.testing.TestDatabase;
import java.util.HexFormat;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;

/** Tests that the migration reads the references of triggers that were there before. */
class TriggerUseMigrationTest {
    @Test
    void notesWhatTriggersReferTo() {
        try (TestDatabase testDatabase = TestDatabase.empty()) {
            DatabaseLocation location = testDatabase.config().location();
            Flyway.configure()
                    .dataSource(location.jdbcUrl(), location.user(), location.password())
                    .target("161")
                    .load()
                    .migrate();
            insert(
                    testDatabase,
                    "webhook",
                    WebhookSource.newBuilder()
                            .setScheme(WebhookSource.Scheme.SCHEME_TOKEN)
                            .addSecrets("shop/old")
                            .addSecrets("shop/né")
                            .setHeader("x".repeat(300))
                            .setWindow(Duration.newBuilder().setSeconds(9))
                            .setBodyBytesMax(1 << 20)
                            .setFailureStatus(-1)
                            .build());
            insert(
                    testDatabase,
                    "kafka",
                    KafkaSource.newBuilder()
                            .setConnection("shop/brokers")
                            .addTopics("orders")
                            .build());
            insert(
                    testDatabase,
                    "schedule",
                    WebhookSource.newBuilder().addSecrets("no").build());

            try (Database database = testDatabase.open()) {
                List<String> rows = database.run(dsl -> dsl.fetch("""
                                select concat_ws(' ', workspace, kind, path) from trigger_use order by kind, path collate "C"
                                """).getValues(0, String.class));
                assertThat(rows).containsExactly("w 3 shop/né", "w 3 shop/old", "w 4 shop/brokers");
            }
        }
    }

    private static void insert(TestDatabase database, String kind, Message settings) {
        database.execute("""
                insert into trigger (id, workspace, kind, path, version, template, settings, description, actor)
                values (gen_random_uuid(), 'w', '%s', 'p', 1, '', '\\x%s', '', '')
                """.formatted(kind, HexFormat.of().formatHex(settings.toByteArray())));
    }
}
