package dev.millrace.handler.sql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.handler.TestJob;
import dev.millrace.worker.JobException;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SQL scripts against a real server. */
class PostgresqlTest {
    private static final Postgresql ANYWHERE = new Postgresql(new SqlServerOptions(true));
    private static final int RESULT_BYTES_MAX = 1 << 20;

    private static EmbeddedPostgres server;

    @BeforeAll
    static void start() throws Exception {
        server = EmbeddedPostgres.builder().start();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void returnsRowsWithAllTypes() throws Exception {
        JsonNode rows = run("""
                select 1 as i, 9007199254740993::bigint as l, 1.10::numeric as n, true as b, 'x' as t, null as none,
                    '{"a": [1.50]}'::jsonb as j, '\\x00ff'::bytea as bytes, array[[1, 2], [3, null]] as grid,
                    '2026-11-25'::date as day, '2026-11-25 10:00:00.5'::timestamp as local,
                    '2026-11-25 10:00:00+01'::timestamptz as instant, 'infinity'::timestamptz as never,
                    'nan'::float8 as nan, '3 days'::interval as span,
                    '6f1c2a3e-0000-4000-8000-000000000001'::uuid as id, 12.5::money as money
                """, "{}");

        JsonNode row = rows.get(0);
        assertThat(row.toString())
                .isEqualTo("{\"i\":1,\"l\":9007199254740993,\"n\":1.10,\"b\":true,\"t\":\"x\",\"none\":null,"
                        + "\"j\":{\"a\":[1.50]},\"bytes\":\"AP8=\",\"grid\":[[1,2],[3,null]],\"day\":\"2026-11-25\","
                        + "\"local\":\"2026-11-25T10:00:00.500\",\"instant\":\"2026-11-25T09:00Z\",\"never\":\"infinity\","
                        + "\"nan\":\"NaN\",\"span\":" + row.get("span")
                        + ",\"id\":\"6f1c2a3e-0000-4000-8000-000000000001\","
                        + "\"money\":" + row.get("money") + "}");
    }

    /** The driver gives times in arrays without their zone, in that of the worker. */
    @Test
    void returnsArraysOfTimesAsItReturnsTimes() throws Exception {
        JsonNode rows = run("""
                select array['2026-11-25 10:00:00.123456+01', 'infinity', null]::timestamptz[] as instants,
                    array['2026-11-25 10:00:00.5', '-infinity']::timestamp[] as locals,
                    array['2026-11-25', 'infinity']::date[] as days, array['\\x00ff']::bytea[] as bytes
                """, "{}");

        assertThat(rows.get(0).toString())
                .isEqualTo("{\"instants\":[\"2026-11-25T09:00:00.123456Z\",\"infinity\",null],"
                        + "\"locals\":[\"2026-11-25T10:00:00.500\",\"-infinity\"],"
                        + "\"days\":[\"2026-11-25\",\"infinity\"],\"bytes\":[\"AP8=\"]}");
    }

    @Test
    void bindsInputsAndNeverPastesThem() throws Exception {
        run("create table people (id int, name text, tags text[], details jsonb, score numeric)", "{}");

        String insert = """
                -- $1 id (int)
                -- $2 name (text) = 'nobody'
                -- $3 tags (text[])
                insert into people values ($1, $2, $3, :details, :score);
                """;
        JsonNode first = run(
                insert,
                "'id': 1, 'name': 'x\\u0027); drop table people; --', 'tags': ['a,b', '{\\\"c\\\"}', null],"
                        + " 'details': {'k': [1]}, 'score': 12345678901234567890.123");
        run(insert, "'id': '2', 'tags': [], 'details': null, 'score': null");

        assertThat(first.toString()).isEqualTo("{\"affected\":1}");
        assertThat(run(
                                "select * from people where id = any(string_to_array(:ids, ',')::int[]) order by id",
                                "'ids': '1,2'")
                        .toString())
                .isEqualTo("[{\"id\":1,\"name\":\"x'); drop table people; --\",\"tags\":[\"a,b\",\"{\\\"c\\\"}\",null],"
                        + "\"details\":{\"k\":[1]},\"score\":12345678901234567890.123},"
                        + "{\"id\":2,\"name\":\"nobody\",\"tags\":[],\"details\":null,\"score\":null}]");
    }

    /** A notice takes some bytes on the way, and some kilobytes on the heap of the worker. */
    @Test
    void failsAScriptWithMoreNoticesThanTheWorkerHolds() {
        assertThatThrownBy(() -> run("do $$ begin for i in 1..200000 loop raise notice 'n'; end loop; end $$", "{}"))
                .isInstanceOf(JobException.class)
                .hasMessageContaining("the server sends more than");
    }

    @Test
    void commitsAllStatementsOrNone() throws Exception {
        assertThatThrownBy(() -> run("create table halves (n int);\ninsert into halves values (1);\nselect 1/0", "{}"))
                .isInstanceOfSatisfying(JobException.class, e -> {
                    assertThat(e.name()).isEqualTo("SqlError");
                    assertThat(e.isRetryable()).isFalse();
                    assertThat(e.getStackTrace()).isEmpty();
                })
                .hasMessageContaining("The statement in line 3 failed")
                .hasMessageContaining("SQLSTATE 22012");

        assertThat(run("select to_regclass('halves') as found", "{}").toString())
                .isEqualTo("[{\"found\":null}]");
    }

    @Test
    void runsWithoutTransactionOnWish() throws Exception {
        assertThatThrownBy(() -> run("vacuum", "{}")).hasMessageContaining("cannot run inside a transaction");

        assertThat(run("-- millrace: transaction=off\nvacuum", "{}").toString()).isEqualTo("{\"affected\":0}");
    }

    @Test
    void failsJobsAndNotWorkersByLargeResults() {
        assertThatThrownBy(() -> run("select repeat('x', 1000) as t from generate_series(1, 2000)", "{}"))
                .hasMessageContaining("more than the 1048576 bytes");
        assertThatThrownBy(() -> run("select 1 as n from generate_series(1, 100001)", "{}"))
                .hasMessageContaining("more than 100000 rows");
        assertThatThrownBy(() -> run("select repeat('x', 200000000) as t", "{}"))
                .hasMessageContaining("maxResultBuffer");
        assertThatThrownBy(() -> run("select 1 as a, 2 as a", "{}")).hasMessageContaining("have the name \"a\"");
    }

    @Test
    void saysWhatIsMissing() {
        assertThatThrownBy(() -> run("select :a", "{}")).hasMessageContaining("The input lacks \"a\"");
        assertThatThrownBy(() -> new Postgresql().run("select 1", TestJob.of("{}"), RESULT_BYTES_MAX))
                .hasMessageContaining("The input lacks \"database\"");
        assertThatThrownBy(() -> run("-- nothing", "{}")).hasMessageContaining("has no statement");
    }

    @Test
    void takesUrlsAndShowsNoPasswords() throws Exception {
        String url = "postgresql://postgres:se%%2Fcret@localhost:" + server.getPort() + "/postgres?sslmode=disable";

        assertThat(new String(ANYWHERE.run("select 1 as n", TestJob.of("{'database': '" + url + "'}"), 100), UTF_8))
                .isEqualTo("[{\"n\":1}]");
        TestJob elsewhere = TestJob.of("{'database': 'postgresql://a:se%%2Fcret@localhost:1/x'}");
        assertThatThrownBy(() -> ANYWHERE.run("select 1", elsewhere, 100))
                .isInstanceOfSatisfying(
                        JobException.class, e -> assertThat(e.isRetryable()).isTrue())
                .hasMessageContaining("x on localhost:1")
                .hasMessageNotContaining("cret");
        assertThatThrownBy(() -> new Postgresql().run("select 1", TestJob.of("{'database': 'se cret'}"), 100))
                .hasMessageContaining("is no URL")
                .hasMessageNotContaining("cret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost", "::1", "10.0.0.1", "169.254.169.254"})
    void connectsToNoPrivateAddressThatAnInputNames(String host) {
        TestJob job = database(host);

        for (TestJob each : List.of(job, job.withBound("/database/password", "/host"))) {
            assertThatThrownBy(() -> new Postgresql().run("select 1", each, 100))
                    .isInstanceOfSatisfying(
                            JobException.class, e -> assertThat(e.name()).isEqualTo("AddressNotAllowed"))
                    .hasMessageContainingAll("has no public address", "--sql-allow-private");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/database", "/database/host", ""})
    void connectsWhereAResourceOfTheStepSays(String pointer) throws Exception {
        TestJob job = database("localhost").withBound(pointer);

        assertThat(new String(new Postgresql().run("select 1 as n", job, 100), UTF_8))
                .isEqualTo("[{\"n\":1}]");
    }

    @Test
    void keepsConnectionsOfResourcesFromInputs() throws Exception {
        Postgresql language = new Postgresql();
        var _ = language.run("select 1 as n", database("localhost").withBound("/database"), 100);

        assertThatThrownBy(() -> language.run("select 1 as n", database("localhost"), 100))
                .hasMessageContaining("has no public address");
    }

    private static TestJob database(String host) {
        return TestJob.of(
                "{'database': {'host': '%s', 'port': %d, 'user': 'postgres', 'dbname': 'postgres', 'sslmode': 'disable'}}",
                host, server.getPort());
    }

    @Test
    void stopsStatementsAtTheServer() throws Exception {
        AtomicReference<Throwable> end = new AtomicReference<>();
        CountDownLatch ended = new CountDownLatch(1);
        Thread job = new Thread(() -> {
            try {
                run("select pg_sleep(600) /* long */", "{}");
            } catch (Throwable e) {
                end.set(e);
            }
            ended.countDown();
        });
        job.start();
        awaitCount(1);

        job.interrupt();
        ended.await();

        assertThat(end.get()).isInstanceOf(InterruptedException.class);
        awaitCount(0);
    }

    private static void awaitCount(int expected) throws Exception {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            int count = -1;
            while (count != expected) {
                try (ResultSet rows =
                        statement.executeQuery("select count(*) from pg_stat_activity where state = 'active'"
                                + " and query like '%/* long */' and application_name = 'millrace job-1'")) {
                    rows.next();
                    count = rows.getInt(1);
                }
            }
        }
    }

    private static JsonNode run(String script, String input) throws Exception {
        String members = input.equals("{}") ? "" : ", " + input;
        TestJob job = TestJob.of(
                "{'database': {'host': 'localhost', 'port': %d, 'user': 'postgres', 'dbname': 'postgres'}" + members
                        + "}",
                server.getPort());
        return SqlInput.JSON.readTree(ANYWHERE.run(script, job, RESULT_BYTES_MAX));
    }
}
