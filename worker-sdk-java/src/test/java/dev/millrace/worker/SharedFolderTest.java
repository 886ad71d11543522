package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.worker.testing.FakeSession;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Folders that jobs of a group share, in real processes. */
final class SharedFolderTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String LEFT_BEHIND = "8d1f4a86-6a8e-4a34-9a0e-2f4f0b3f8c11";

    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder = Path.of("");

    private ScriptWorkerFixture fixture;
    private String python;
    private String deno;

    @BeforeEach
    void start() throws Exception {
        Path leftOver = folder.resolve("shared/default/" + LEFT_BEHIND + "/g0/shared");
        Files.createDirectories(leftOver);
        Files.writeString(leftOver.resolve("word"), "left");
        Files.createFile(folder.resolve("shared/" + LEFT_BEHIND + ".lock"));
        fixture = new ScriptWorkerFixture(folder);
        python = fixture.scheduler.addScript("a.py", """
                import os

                def main(write=None, ctx=None):
                    if write:
                        with open("./shared/word", "w") as file:
                            file.write(write)
                    return [ctx.shared_folder is not None, os.path.exists("./shared/word")]
                """);
        deno = fixture.scheduler.addScript("b.ts", """
                import type { Context } from "millrace";
                export function main(ctx: Context) {
                  return ctx.sharedFolder === undefined ? null : Deno.readTextFileSync(`${ctx.sharedFolder}/word`);
                }
                """);
    }

    @AfterEach
    void stop() throws Exception {
        fixture.close();
    }

    @Test
    void jobsOfAGroupShareAFolderThatGoesWithTheGroup() throws Exception {
        assertThat(run(python, "g1", "{\"write\":\"hello\"}")).isEqualTo("[true,true]");
        assertThat(run(deno, "g1", "{}")).isEqualTo("\"hello\"");
        assertThat(run(python, "g2", "{}")).isEqualTo("[true,false]");
        assertThat(run(python, "", "{}")).isEqualTo("[false,false]");
        assertThat(run(deno, "", "{}")).isEqualTo("null");
        assertThat(groups()).containsExactly("g1", "g2");

        fixture.session.endFolders("g1");

        awaitGroups("g2");
        assertThat(run(python, "g1", "{}")).isEqualTo("[true,false]");
    }

    @Test
    void deletesWhatAKilledWorkerLeftBehind() throws Exception {
        awaitTrue(() -> !Files.exists(folder.resolve("shared/default/" + LEFT_BEHIND)));
        awaitTrue(() -> !Files.exists(folder.resolve("shared/" + LEFT_BEHIND + ".lock")));
    }

    @Test
    void deletesTheFoldersOfASessionThatIsLost() throws Exception {
        run(python, "g1", "{\"write\":\"hello\"}");

        fixture.session.fail(Status.FAILED_PRECONDITION.withDescription("expired"));
        FakeSession next = fixture.scheduler.awaitSession();
        next.welcome("s2");

        awaitGroups();
    }

    /** The lost job may still use the folder, which is about to be deleted. */
    @Test
    void aJobThatComesBackAfterItsSessionWasLostHasAnotherFolder() throws Exception {
        String where = fixture.scheduler.addScript("where.py", "def main(ctx):\n    return ctx.shared_folder\n");
        String lost = run(where, "g1", "{}");

        fixture.session.fail(Status.FAILED_PRECONDITION.withDescription("expired"));
        FakeSession next = fixture.scheduler.awaitSession();
        next.welcome("s2");

        assertThat(run(next, where, "g1", "{}")).isNotEqualTo(lost);
    }

    @Test
    void asksWhichFoldersAreNeededNoMoreWhenItReconnects() throws Exception {
        run(python, "g1", "{\"write\":\"hello\"}");

        fixture.session.fail(Status.UNAVAILABLE.withDescription("gone"));
        FakeSession next = fixture.scheduler.awaitSession();
        next.welcome("s1", true, welcome -> welcome);

        assertThat(next.await(message -> message.hasHeldFolders())
                        .getHeldFolders()
                        .getGroupIdsList())
                .containsExactly("g1");
        next.endFolders("g1");
        awaitGroups();
    }

    private String run(String hash, String group, String input) throws InterruptedException {
        return run(fixture.session, hash, group, input);
    }

    private String run(FakeSession session, String hash, String group, String input) throws InterruptedException {
        session.lease(fixture.lease(hash, input).toBuilder().setGroupId(group).build());
        JobResult result = session.awaitAndAcceptResult();
        assertThat(result.getError().getMessage()).isEmpty();
        return result.getResult().toStringUtf8();
    }

    /** The groups that have folders here, by name. */
    private List<String> groups() {
        Path workspace = folder.resolve("shared/default");
        try (Stream<Path> workers = Files.list(workspace)) {
            return workers.filter(worker -> !worker.endsWith(LEFT_BEHIND))
                    .flatMap(worker -> list(worker).stream())
                    .map(group -> String.valueOf(group.getFileName()).replaceFirst("-\\d+$", ""))
                    .sorted()
                    .toList();
        } catch (IOException gone) {
            return List.of();
        }
    }

    private static List<Path> list(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        } catch (IOException gone) {
            return List.of();
        }
    }

    private void awaitGroups(String... expected) throws InterruptedException {
        awaitTrue(() -> groups().equals(List.of(expected)));
    }

    private interface Check {
        boolean holds();
    }

    /** Deletion continues in the background and sends no event. */
    private static void awaitTrue(Check check) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!check.holds()) {
            assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
