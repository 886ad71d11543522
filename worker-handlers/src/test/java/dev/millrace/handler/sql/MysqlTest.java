package dev.millrace.handler.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.handler.TestJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SQL scripts against MariaDB, on machines that have it. */
class MysqlTest {
    @TempDir
    private static Path folder = Path.of("");

    private static MariaDb server;

    @BeforeAll
    static void start() throws Exception {
        MariaDb.assumeInstalled();
        server = MariaDb.start(folder);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void returnsRowsWithTheirTypes() throws Exception {
        JsonNode rows = run("""
                select 1 as i, 18446744073709551615 as l, cast(1.10 as decimal(5, 2)) as n, 'x' as t, null as none,
                    x'00ff' as bytes, date '2026-11-25' as day, timestamp '2026-11-25 10:00:00.5' as local
                """, "");

        assertThat(rows.get(0).toString())
                .isEqualTo(
                        "{\"i\":1,\"l\":18446744073709551615,\"n\":1.10,\"t\":\"x\",\"none\":null,\"bytes\":\"AP8=\","
                                + "\"day\":\"2026-11-25\",\"local\":\"2026-11-25T10:00:00.500\"}");
    }

    @Test
    void bindsInputsAndNeverPastesThem() throws Exception {
        run("create table people (id bigint, name text, score decimal(30, 3), young boolean)", "");

        JsonNode inserted = run(
                "-- ? id (int)\n-- ? name\ninsert into people values (?, ?, :score, :young); # the end ?",
                ", 'id': 1, 'name': 'x\\u0027); drop table people; -- \\\\', 'score': 12345678901234567890.123, 'young': true");

        assertThat(inserted.toString()).isEqualTo("{\"affected\":1}");
        assertThat(run("select * from people where id = :id", ", 'id': 1").toString())
                .isEqualTo("[{\"id\":1,\"name\":\"x'); drop table people; -- \\\\\",\"score\":12345678901234567890.123,"
                        + "\"young\":true}]");
    }

    @Test
    void commitsAllStatementsOrNone() throws Exception {
        run("create table halves (n int) engine=innodb", "");

        assertThatThrownBy(() -> run("insert into halves values (1);\nselect * from missing", ""))
                .hasMessageContaining("The statement in line 2 failed")
                .hasMessageContaining("SQLSTATE 42S02");
        assertThat(run("select count(*) as n from halves", "").toString()).isEqualTo("[{\"n\":0}]");
    }

    @Test
    void readsNoFilesOfTheWorker() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret.txt"), "key\n");

        assertThatThrownBy(() -> run(
                        "create temporary table t (x text);\nload data local infile '" + secret + "' into table t", ""))
                .hasMessageContaining("The statement in line 2 failed");
    }

    @Test
    void connectsToNoPrivateAddressThatAnInputNames() throws Exception {
        TestJob job = TestJob.of(
                "{'database': {'host': 'localhost', 'port': %d, 'user': 'millrace', 'password': '" + MariaDb.PASSWORD
                        + "', 'database': 'test', 'sslmode': 'disable'}}",
                server.port());

        assertThatThrownBy(() -> new Mysql().run("select 1", job, 100)).hasMessageContaining("has no public address");
        assertThat(new Mysql().run("select 1 as n", job.withBound("/database"), 100))
                .isNotEmpty();
    }

    @Test
    void failsJobsAndNotWorkersByLargeResults() {
        assertThatThrownBy(() -> run("select repeat('x', 1000) as t from seq_1_to_2000", ""))
                .hasMessageContaining("more than the 1048576 bytes");
    }

    private static JsonNode run(String script, String members) throws Exception {
        TestJob job = TestJob.of(
                "{'database': {'host': 'localhost', 'port': %d, 'user': 'millrace', 'password': '" + MariaDb.PASSWORD
                        + "', 'database': 'test', 'sslmode': 'disable'}" + members + "}",
                server.port());
        return SqlInput.JSON.readTree(new Mysql(new SqlServerOptions(true)).run(script, job, 1 << 20));
    }
}
