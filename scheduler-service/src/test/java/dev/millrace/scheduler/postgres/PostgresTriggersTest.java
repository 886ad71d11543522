package dev.millrace.scheduler.postgres;

import static dev.millrace.scheduler.testing.RunningScheduler.violatedFields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.secret.v1.PutResourceRequest;
import dev.millrace.proto.secret.v1.ResourceServiceGrpc;
import dev.millrace.proto.trigger.v1.DeleteTriggerRequest;
import dev.millrace.proto.trigger.v1.Kind;
import dev.millrace.proto.trigger.v1.ListTriggerEventsRequest;
import dev.millrace.proto.trigger.v1.ListTriggersRequest;
import dev.millrace.proto.trigger.v1.PauseTriggerRequest;
import dev.millrace.proto.trigger.v1.PostgresSource;
import dev.millrace.proto.trigger.v1.PutTriggerRequest;
import dev.millrace.proto.trigger.v1.ResumeTriggerRequest;
import dev.millrace.proto.trigger.v1.Trigger;
import dev.millrace.proto.trigger.v1.TriggerEvent;
import dev.millrace.proto.trigger.v1.TriggerServiceGrpc;
import dev.millrace.scheduler.config.DatabaseLocation;
import dev.millrace.scheduler.config.TriggerConfig;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.testing.RunningScheduler;
import dev.millrace.scheduler.testing.TestDatabase;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests over gRPC, with two schedulers and the database of somebody else. */
class PostgresTriggersTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER =
            new RunningScheduler(config -> config.withTrigger(new TriggerConfig(true)));

    private static final java.time.Duration PATIENCE = java.time.Duration.ofSeconds(60);
    private static final java.time.Duration PAUSE = java.time.Duration.ofMillis(20);
    /** So long that only notifications and transactions that end make a trigger read its table again. */
    private static final Duration SELDOM =
            Duration.newBuilder().setSeconds(3_600).build();

    private static final TestDatabase SHOP = TestDatabase.empty();

    private final TriggerServiceGrpc.TriggerServiceBlockingStub triggers =
            TriggerServiceGrpc.newBlockingStub(SCHEDULER.channel());

    @BeforeAll
    static void connect() {
        var _ = SCHEDULER.another();
        DatabaseLocation location = SHOP.config().location();
        URI url = URI.create(location.jdbcUrl().substring("jdbc:".length()));
        var _ = ResourceServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .putResource(PutResourceRequest.newBuilder()
                        .setPath("shop/db")
                        .setValue(ByteString.copyFromUtf8(String.format(
                                Locale.ROOT,
                                "{\"host\": \"%s\", \"port\": %d, \"dbname\": \"%s\", \"user\": \"postgres\", \"password\": \"%s\"}",
                                url.getHost(),
                                url.getPort(),
                                url.getPath().substring(1),
                                location.password())))
                        .build());
        flow("shop/take", "");
    }

    @AfterAll
    static void close() {
        SHOP.close();
    }

    @Test
    void eachRowStartsOneRunInOrderAlsoIfItCommitsLate() throws SQLException {
        try (Connection late = shop();
                Connection other = shop()) {
            execute(other, "create table outbox (id bigserial primary key, content text)");
            late.setAutoCommit(false);
            execute(late, "insert into outbox (content) values ('late')");
            execute(other, "insert into outbox (content) values ('early')");
            put("order/rows", source().setTable("outbox").setChannel("added").setInterval(SELDOM));
            put("order/notes", source().setChannel("listens"));
            untilHeard("order/notes", "listens");
            assertThat(history("order/rows", _ -> true))
                    .as("runs before a row that may come")
                    .isEmpty();

            execute(other, "update outbox set content = 'changed' where false");
            late.commit();
            assertThat(history("order/rows", found -> settled(found, 2)))
                    .extracting(TriggerEvent::getOccurrence)
                    .containsExactly("row 2 of outbox.id of shop/db", "row 1 of outbox.id of shop/db");

            for (int round = 0; round < 10; round++) {
                execute(late, "insert into outbox (content) select 'a' from generate_series(1, 7)");
                execute(other, "insert into outbox (content) select 'b' from generate_series(1, 3); notify added");
                if (round % 3 == 0) {
                    late.rollback();
                } else {
                    execute(late, "notify added");
                    late.commit();
                }
            }
            List<TriggerEvent> history = history("order/rows", found -> settled(found, 2 + 10 * 3 + 6 * 7));
            assertThat(history).hasSize(2 + 10 * 3 + 6 * 7);
            assertThat(history).extracting(TriggerEvent::getRunId).doesNotHaveDuplicates();
            assertThat(history.reversed().stream().map(start -> member(start, "row", "id")))
                    .isSortedAccordingTo((one, another) -> Long.compare(Long.parseLong(one), Long.parseLong(another)));
        }
    }

    @Test
    void aWorkspaceLeavesHalfOfTheTriggersToOthers() {
        int max = PostgresTriggers.TRIGGERS_MAX / 2;
        int before = triggers.listTriggers(ListTriggersRequest.newBuilder()
                        .setKind(Kind.KIND_POSTGRES)
                        .setPageSize(PostgresTriggers.TRIGGERS_MAX)
                        .build())
                .getTriggersCount();
        List<String> paths =
                IntStream.range(before, max).mapToObj(i -> "many/t" + i).toList();
        paths.forEach(path -> put(path, source().setChannel("quiet")));

        StatusRuntimeException refused = catchThrowableOfType(
                StatusRuntimeException.class, () -> put("many/further", source().setChannel("quiet")));
        paths.forEach(path -> triggers.deleteTrigger(DeleteTriggerRequest.newBuilder()
                .setKind(Kind.KIND_POSTGRES)
                .setPath(path)
                .build()));

        assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(refused).hasMessageContaining("The workspace default has 50 active triggers");
    }

    @Test
    void rowsShareARunAndLargeOnesAreRefused() throws SQLException {
        try (Connection shop = shop()) {
            execute(shop, """
                    create schema sales; create table sales."Events" (n int unique, content text);
                    insert into sales."Events" select n, case when n = 3 then repeat('x', 5000000) else 'ok' end from generate_series(1, 7) n
                    """);
            put(
                    "batch/rows",
                    source().setTable("sales.Events").setColumn("n").setBatchMax(3),
                    RunSpec.newBuilder().setInput(ByteString.copyFromUtf8("{\"event\": {\"from\": \"shop\"}}")));

            List<TriggerEvent> history =
                    history("batch/rows", found -> settled(found, 4)).reversed();

            assertThat(history).hasSize(4);
            assertThat(history.get(1).getState()).isEqualTo(TriggerEvent.State.STATE_REFUSED);
            assertThat(history.get(1).getReason())
                    .startsWith("The row 3 has 5000")
                    .contains("more than the input");
            assertThat(Stream.of(0, 2, 3).map(index -> member(history.get(index), "rows")))
                    .containsExactly(
                            "[{\"n\":1,\"content\":\"ok\"},{\"n\":2,\"content\":\"ok\"}]",
                            "[{\"n\":4,\"content\":\"ok\"},{\"n\":5,\"content\":\"ok\"},{\"n\":6,\"content\":\"ok\"}]",
                            "[{\"n\":7,\"content\":\"ok\"}]");
            assertThat(member(history.getFirst(), "event", "from")).isEqualTo("\"shop\"");
        }
    }

    @Test
    void aTriggerInTheFileOfAFlowBeginsAtTheEndPausesAndChangesItsTable() throws SQLException {
        try (Connection shop = shop()) {
            execute(shop, "create table first (id serial primary key); insert into first default values");
            execute(shop, "create table second (id serial primary key); insert into second default values");
            flow(
                    "file/take",
                    "postgres: {added: {connection: shop/db, table: first, channel: first, start: latest, interval: 1s}}");
            var _ = history("file/take/added", _ -> positions("file/take/added") > 0);
            execute(shop, "insert into first default values; notify first");
            assertThat(history("file/take/added", found -> settled(found, 1)))
                    .extracting(TriggerEvent::getOccurrence)
                    .containsExactly("row 2 of first.id of shop/db");

            var _ = triggers.pauseTrigger(PauseTriggerRequest.newBuilder()
                    .setKind(Kind.KIND_POSTGRES)
                    .setPath("file/take/added")
                    .build());
            execute(shop, "insert into first default values; notify first");
            var _ = triggers.resumeTrigger(ResumeTriggerRequest.newBuilder()
                    .setKind(Kind.KIND_POSTGRES)
                    .setPath("file/take/added")
                    .build());
            assertThat(history("file/take/added", found -> settled(found, 2))).hasSize(2);

            flow("file/take", "postgres: {added: {connection: shop/db, table: second}}");
            assertThat(history("file/take/added", found -> settled(found, 3)))
                    .extracting(TriggerEvent::getOccurrence)
                    .containsExactly(
                            "row 1 of second.id of shop/db",
                            "row 3 of first.id of shop/db",
                            "row 2 of first.id of shop/db");
        }
    }

    @Test
    void theHistorySaysWhyATableCannotBeRead() throws SQLException {
        try (Connection shop = shop()) {
            execute(shop, """
                    create table plain (id bigint, name text);
                    create table cached (id bigint primary key generated always as identity (cache 10));
                    create view seen as select * from cached
                    """);
        }
        record Case(String table, String column, String reason) {}
        List<Case> cases = List.of(
                new Case("none", "", "There is no table none"),
                new Case("plain", "", "has no unique index on the column id"),
                new Case("plain", "name", "has no column name of an integer type"),
                new Case("cached", "", "set CACHE 1"),
                new Case("seen", "", "is no table"));
        IntStream.range(0, cases.size())
                .forEach(index -> put(
                        "why/" + index,
                        source().setTable(cases.get(index).table())
                                .setColumn(cases.get(index).column())));

        for (int index = 0; index < cases.size(); index++) {
            assertThat(history("why/" + index, found -> !found.isEmpty()))
                    .allSatisfy(event -> assertThat(event.getState()).isEqualTo(TriggerEvent.State.STATE_REFUSED))
                    .extracting(TriggerEvent::getReason)
                    .first()
                    .asString()
                    .contains(cases.get(index).reason());
        }
    }

    @Test
    void refusesSettingsThatCannotWork() {
        assertThat(violated(source())).containsExactly("postgres.channel");
        assertThat(violated(source().setTable("x\"; drop table y"))).containsExactly("postgres.table");
        assertThat(violated(source().setTable("x").setColumn("a b"))).containsExactly("postgres.column");
        assertThat(violated(source().setChannel("it's"))).containsExactly("postgres.channel");
        assertThat(violated(source().setTable("x").setBatchMax(1_001))).containsExactly("postgres.batch_max");
        assertThat(violated(source().setChannel("x").setStart(PostgresSource.Start.START_LATEST)))
                .containsExactly("postgres.start");
        assertThat(violated(
                        source().setTable("x").setInterval(Duration.newBuilder().setNanos(1))))
                .containsExactly("postgres.interval");
    }

    /** Takes the five seconds after which a listener begins again. */
    @Test
    @Tag("nightly")
    void aLostConnectionLosesNoRowAndTheHistoryTellsWhichNotificationsItMayHaveLost() throws SQLException {
        try (Connection shop = shop()) {
            execute(shop, "create table kept (id bigserial primary key)");
            put(
                    "lost/rows",
                    source().setTable("kept").setInterval(Duration.newBuilder().setSeconds(1)));
            put("lost/notes", source().setChannel("lost"));
            untilHeard("lost/notes", "lost");
            execute(shop, "insert into kept default values");
            var _ = history("lost/rows", found -> settled(found, 1));

            execute(
                    shop,
                    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'millrace-trigger'");
            execute(shop, "insert into kept default values");

            assertThat(history("lost/rows", found -> started(found) == 2)).hasSizeGreaterThan(2);
            assertThat(history("lost/notes", found -> found.stream().anyMatch(PostgresTriggersTest::isGap)))
                    .anySatisfy(event ->
                            assertThat(event.getReason()).contains("no scheduler listened to the channel lost"));
        }
    }

    private static boolean isGap(TriggerEvent event) {
        return event.getState() == TriggerEvent.State.STATE_SKIPPED;
    }

    private static PostgresSource.Builder source() {
        return PostgresSource.newBuilder().setConnection("shop/db");
    }

    private List<String> violated(PostgresSource.Builder source) {
        return violatedFields(catchThrowableOfType(StatusRuntimeException.class, () -> put("refused/one", source)));
    }

    private void put(String path, PostgresSource.Builder source) {
        put(path, source, RunSpec.newBuilder());
    }

    private void put(String path, PostgresSource.Builder source, RunSpec.Builder run) {
        var _ = triggers.putTrigger(PutTriggerRequest.newBuilder()
                .setPath(path)
                .setTrigger(Trigger.newBuilder()
                        .setRun(run.setTarget(RunTarget.newBuilder().setFlowPath("shop/take")))
                        .setPostgres(source))
                .build());
    }

    /** Sends notifications until one has started a run. */
    private void untilHeard(String path, String channel) throws SQLException {
        try (Connection shop = shop()) {
            List<TriggerEvent> heard = history(path, found -> {
                execute(shop, "notify " + channel + ", 'hello'");
                return settled(found, 1);
            });
            assertThat(member(heard.getLast(), "notification"))
                    .isEqualTo("{\"channel\":\"" + channel + "\",\"payload\":\"hello\"}");
        }
    }

    private static Connection shop() throws SQLException {
        DatabaseLocation location = SHOP.config().location();
        return DriverManager.getConnection(location.jdbcUrl(), location.user(), location.password());
    }

    private static void execute(Connection connection, String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(sql, failure);
        }
    }

    private static int positions(String trigger) {
        return SCHEDULER
                .open()
                .run(dsl -> dsl.fetchSingle(
                                "select count(*) from postgres_position p join trigger t on t.id = p.trigger_id where t.path = ? and p.last_id is not null",
                                trigger)
                        .into(int.class));
    }

    private List<TriggerEvent> history(String path, Predicate<List<TriggerEvent>> wanted) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            List<TriggerEvent> found = triggers.listTriggerEvents(ListTriggerEventsRequest.newBuilder()
                            .setKind(Kind.KIND_POSTGRES)
                            .setPath(path)
                            .setPageSize(500)
                            .build())
                    .getEventsList();
            if (wanted.test(found) || System.nanoTime() > end) {
                return found;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private static boolean settled(List<TriggerEvent> starts, int size) {
        return starts.size() >= size
                && starts.stream().noneMatch(start -> start.getState() == TriggerEvent.State.STATE_PENDING);
    }

    private static long started(List<TriggerEvent> starts) {
        return starts.stream()
                .filter(start -> start.getState() == TriggerEvent.State.STATE_STARTED)
                .count();
    }

    /** The JSON of a member of the input of the run that was started. */
    private static String member(TriggerEvent start, String... path) {
        JsonValue value = JsonValue.of(SCHEDULER
                .runs()
                .getRun(GetRunRequest.newBuilder().setRunId(start.getRunId()).build())
                .getRun()
                .getInput()
                .toStringUtf8());
        for (String name : path) {
            JsonValue next = value.members().get(name);
            assertThat(next).as(name).isNotNull();
            value = next == null ? value : next;
        }
        return value.text();
    }

    private static void flow(String path, String declared) {
        var _ = SCHEDULER
                .flows()
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setFileName("flow.yaml")
                        .setDefinition(ByteString.copyFromUtf8("""
                                millrace: v1
                                name: %s
                                inputs:
                                  row: {type: object, default: {}}
                                  rows: {type: array, default: []}
                                  notification: {type: object, default: {}}
                                  event: {type: object, default: {}}
                                %s
                                steps:
                                  - {id: a, value: 1}
                                """.formatted(path, declared)))
                        .build());
    }
}
