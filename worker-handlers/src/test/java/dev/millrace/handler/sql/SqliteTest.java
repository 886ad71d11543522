package dev.millrace.handler.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.handler.TestJob;
import dev.millrace.worker.JobException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts for SQLite, and what they must not be able to do. */
class SqliteTest {
    private static final int RESULT_BYTES_MAX = 1 << 20;

    @TempDir
    private Path folder = Path.of("");

    private Path allowed = Path.of("");
    private Sqlite language = new Sqlite();

    @BeforeEach
    void allowAFolder() throws IOException {
        allowed = Files.createDirectory(folder.resolve("allowed"));
        language = new Sqlite(List.of(
                new SqliteFolder(Optional.empty(), allowed),
                new SqliteFolder(Optional.of("other"), Files.createDirectory(folder.resolve("other")))));
    }

    @Test
    void returnsRowsAndKeepsThemInItsFile() throws Exception {
        run(
                """
                create table orders (id integer primary key, note text, total real, paid boolean, day date, raw blob);
                -- ? id (int)
                insert into orders values (?, :note, :total, :paid, '2026-11-25', x'00ff');
                """,
                "rwc",
                ", 'id': 9007199254740993, 'note': 'x\\u0027); drop table orders; --', 'total': 1.5, 'paid': true");

        assertThat(run("select *, null as none from orders where id > :least", "ro", ", 'least': 1")
                        .toString())
                .isEqualTo("[{\"id\":9007199254740993,\"note\":\"x'); drop table orders; --\",\"total\":1.5,\"paid\":1,"
                        + "\"day\":\"2026-11-25\",\"raw\":\"AP8=\",\"none\":null}]");
        assertThat(run("delete from orders", "rw", "").toString()).isEqualTo("{\"affected\":1}");
    }

    @Test
    void commitsAllStatementsOrNone() {
        assertThatThrownBy(() -> run("create table halves (n int);\ninsert into missing values (1)", "rwc", ""))
                .isInstanceOfSatisfying(
                        JobException.class, e -> assertThat(e.name()).isEqualTo("SqlError"))
                .hasMessageContaining("The statement in line 2 failed");
        assertThatThrownBy(() -> run("select * from halves", "rw", "")).hasMessageContaining("no such table");
    }

    @Test
    void triggersContainStatements() throws Exception {
        JsonNode rows = inMemory("""
                create table a (n int); create table b (n int);
                create temporary trigger [copy ;] after insert on a begin
                    insert into b values (new.n); update b set n = case when n > 1 then n * 2 end; end;
                insert into a values (2);
                select n from b
                """);

        assertThat(rows.toString()).isEqualTo("[{\"n\":4}]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "attach 'x.db' as x",
                "/* a */ -- b\n AtTaCh 'x.db' as x",
                "/* /* */ attach 'x.db' as x",
                "detach main",
                "vacuum into '/tmp/x.db'",
                "pragma temp_store_directory = '/'",
                "pragma hard_heap_limit = 1",
                "backup to '/tmp/x.db'",
                "restore from '/etc/passwd'",
                "\"attach\" 'x.db'",
                "begin",
                "\uFEFFattach 'x.db' as x",
            })
    void refusesStatementsThatReachBeyondTheDatabase(String statement) {
        assertThatThrownBy(() -> inMemory("select 1; " + statement))
                .isInstanceOfSatisfying(
                        JobException.class, e -> assertThat(e.name()).isEqualTo("ScriptError"))
                .hasMessageContaining("which scripts for SQLite cannot use");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select load_extension('/tmp/x.so')",
                "select readfile('/etc/passwd')",
                "select writefile('/tmp/x', 'x')",
                "select edit('x')",
                "select * from sqlite_dbpage",
                "select * from fsdir('/')",
                "select fts3_tokenizer('simple', x'4141414141414141')",
                "select * from pragma_temp_store_directory('/')",
                "create virtual table t using csv(filename='/etc/passwd')",
                "insert into sqlite_master values ('table', 'x', 'x', 0, 'x')",
            })
    void hasNothingThatReachesFilesOrPrograms(String statement) {
        assertThatThrownBy(() -> inMemory(statement))
                .isInstanceOfSatisfying(
                        JobException.class, e -> assertThat(e.name()).isEqualTo("SqlError"));
    }

    @Test
    void opensFilesInAllowedFoldersOnly() throws Exception {
        Path secret = folder.resolve("secret.db");
        new Sqlite(List.of(new SqliteFolder(Optional.empty(), folder)))
                .run("create table t (n int)", job("'" + secret + "'", "rwc", ""), 100);
        Files.createSymbolicLink(allowed.resolve("link.db"), secret);
        Files.createSymbolicLink(allowed.resolve("out"), folder);
        Files.createSymbolicLink(allowed.resolve("new.db"), folder.resolve("not-yet.db"));

        for (String path : List.of(
                secret.toString(),
                allowed + "/../secret.db",
                allowed + "/out/secret.db",
                folder.resolve("other/x.db").toString(),
                allowed.toString(),
                "/etc/passwd")) {
            assertThatThrownBy(() -> language.run("select 1", job("'" + path + "'", "rwc", ""), 100))
                    .as("%s", path)
                    .hasMessageMatching("(?s).*(opens no file|it is no file).*");
        }
        for (String path : List.of(allowed + "/link.db", allowed + "/new.db")) {
            assertThatThrownBy(() -> language.run("select 1", job("'" + path + "'", "rwc", ""), 100))
                    .hasMessageContaining("it is no file, or a link");
        }
        for (String path : List.of(
                "x.db", ":resource:x.db", "file:" + secret, allowed + "/x.db?enable_load_extension=true", "\\u0000")) {
            assertThatThrownBy(() -> language.run("select 1", job("'" + path + "'", "rwc", ""), 100))
                    .isInstanceOf(JobException.class);
        }
        try (Stream<Path> files = Files.list(allowed)) {
            assertThat(files.filter(file -> !Files.isSymbolicLink(file))).isEmpty();
        }
    }

    @Test
    void needsAFolderOfTheWorkspace() {
        Sqlite elsewhere = new Sqlite(List.of(new SqliteFolder(Optional.of("other"), allowed)));
        for (Sqlite without : List.of(new Sqlite(), elsewhere)) {
            assertThatThrownBy(() -> without.run("select 1", job("':memory:'", "rw", ""), 100))
                    .hasMessageContaining("millrace.worker.sqlite-folders");
        }
    }

    @Test
    void createsFilesOnWishOnlyAndReadsWithoutWriting() throws Exception {
        assertThatThrownBy(() -> run("select 1", "rw", "")).hasMessageContaining("it is not there");
        run("create table t (n int)", "rwc", "");

        assertThatThrownBy(() -> run("insert into t values (1)", "ro", "")).hasMessageContaining("readonly");
        assertThatThrownBy(() -> run("select 1", "x", "")).hasMessageContaining("mode \"x\"");
    }

    @Test
    void failsJobsAndNotWorkersByLargeValues() {
        assertThatThrownBy(() -> inMemory("select length(zeroblob(100000000))")).hasMessageContaining("too big");
        assertThatThrownBy(() -> inMemory("select hex(zeroblob(1000000)) as t")).hasMessageContaining("more than the");
        assertThatThrownBy(() -> inMemory("""
                create table t (b);
                with recursive c(i) as (select 1 union all select i + 1 from c where i < 1000)
                insert into t select randomblob(1000000) from c
                """))
                .isInstanceOf(JobException.class)
                .hasMessageContaining("database or disk is full");
        assertThatThrownBy(() ->
                        inMemory("with recursive c(i) as (select 1 union all select i + 1 from c) select i from c"))
                .hasMessageContaining("more than");
    }

    @Test
    void endsWhenItsJobIsStopped() throws Exception {
        AtomicReference<Throwable> end = new AtomicReference<>();
        CountDownLatch ended = new CountDownLatch(1);
        Thread job = new Thread(() -> {
            try {
                inMemory("with recursive c(i) as (select 1 union all select i + 1 from c) select count(*) from c");
            } catch (Throwable e) {
                end.set(e);
            }
            ended.countDown();
        });
        job.start();
        while (Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals(job.getName() + "-sql"))) {
            Thread.onSpinWait();
        }

        job.interrupt();
        ended.await();

        assertThat(end.get()).isInstanceOf(InterruptedException.class);
    }

    private JsonNode run(String script, String mode, String members) throws Exception {
        TestJob job = job("'" + allowed.resolve("shop.db") + "'", mode, members);
        return SqlInput.JSON.readTree(language.run(script, job, RESULT_BYTES_MAX));
    }

    private JsonNode inMemory(String script) throws Exception {
        return SqlInput.JSON.readTree(language.run(script, job("':memory:'", "rw", ""), RESULT_BYTES_MAX));
    }

    private static TestJob job(String file, String mode, String members) {
        return TestJob.of("{'database': {'file': " + file + ", 'mode': '" + mode + "'}" + members + "}");
    }
}
