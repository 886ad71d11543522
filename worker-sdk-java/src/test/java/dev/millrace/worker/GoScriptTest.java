package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.proto.common.v1.JobError;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.worker.internal.language.Go;
import dev.millrace.worker.testing.FakeScheduler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Scripts in Go, compiled and run by real programs. They share what was compiled of the standard library. */
@Tag("nightly")
final class GoScriptTest {
    @TempDir(cleanup = CleanupMode.ALWAYS)
    private static Path folder = Path.of("");

    private static ScriptWorkerFixture fixture;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(new Go().version().isPresent(), "this machine has no go");
        GoStandardLibrary.compileFor(folder);
        fixture = new ScriptWorkerFixture(folder, options -> options.withProcessesMax(4));
    }

    @AfterAll
    static void stop() {
        if (fixture != null) {
            fixture.close();
        }
    }

    private static String script(String content) {
        return fixture.scheduler.addScript("f/greet.go", "go", content);
    }

    private static JobError error(String content, String input) throws InterruptedException {
        return fixture.run(script(content), input).getError();
    }

    @Test
    void fillsTheParametersOfMainAsInScriptsOfWindmill() throws Exception {
        String greets = script("""
                package inner

                import "fmt"

                func main(x string, times *int, nested struct {
                	Foo string `json:"foo"`
                }) (interface{}, error) {
                	fmt.Println("to the log")
                	return map[string]any{"x": x, "times": times, "foo": nested.Foo}, nil
                }
                """);

        assertThat(fixture.result(greets, "{\"x\":\"a\",\"nested\":{\"foo\":\"b\"}}"))
                .isEqualTo("{\"foo\":\"b\",\"times\":null,\"x\":\"a\"}");
        Lease lease = fixture.lease(greets, "{\"x\":\"a\",\"nested\":{},\"times\":3}");
        fixture.session.lease(lease);
        assertThat(fixture.session.awaitAndAcceptResult().getResult().toStringUtf8())
                .isEqualTo("{\"foo\":\"\",\"times\":3,\"x\":\"a\"}");
        assertThat(fixture.session.log(lease.getJobId())).contains("to the log").doesNotContain("Compil");
        assertThat(fixture.run(greets, "{\"x\":\"a\"}").getError().getMessage())
                .contains("InputError: the input lacks \"nested\"", "main takes: x, times, nested");
        assertThat(fixture.run(greets, "{\"x\":1,\"nested\":{}}").getError().getMessage())
                .contains("the input \"x\" cannot become a string");
        assertThat(fixture.run(greets, "{\"x\":\"a\",\"nested\":{},\"y\":1}")
                        .getError()
                        .getMessage())
                .contains("main has no parameter for the input y");
    }

    @Test
    void knowsItsJobByVariablesFromTheFirstLineOn() throws Exception {
        String names = script("""
                package inner

                import "os"

                var early = os.Getenv("WM_JOB_ID")

                func main() ([]string, error) {
                	return []string{early, os.Getenv("WM_WORKSPACE"), os.Getenv("WM_FLOW_STEP_ID"), os.Getenv("MILLRACE_ATTEMPT")}, nil
                }
                """);

        Lease lease = fixture.lease(names, "{}");
        fixture.session.lease(lease);

        assertThat(fixture.session.awaitAndAcceptResult().getResult().toStringUtf8())
                .isEqualTo("[\"" + lease.getJobId() + "\",\"" + lease.getWorkspace() + "\",\"" + lease.getStep()
                        + "\",\"1\"]");
    }

    @Test
    void savesAndLoadsBlobsByACommand() throws Exception {
        String hash = script("""
                package inner

                import (
                	"encoding/json"
                	"os"
                	"os/exec"
                )

                func main() (string, error) {
                	if err := os.WriteFile("data", []byte("text"), 0o600); err != nil {
                		return "", err
                	}
                	blob, err := exec.Command("millrace-blob", "put", "data").Output()
                	if err != nil || !json.Valid(blob) {
                		return "", err
                	}
                	text, err := exec.Command("millrace-blob", "get", string(blob)).Output()
                	return string(text), err
                }
                """);

        assertThat(fixture.result(hash, "{}")).isEqualTo("\"text\"");
    }

    @Test
    void runsAProgramAsItIs() throws Exception {
        String adds = script("""
                package main

                import (
                	"encoding/json"
                	"fmt"
                	"os"
                )

                func main() {
                	var input struct{ A, B int }
                	if err := json.NewDecoder(os.Stdin).Decode(&input); err != nil {
                		panic(err)
                	}
                	fmt.Printf("{\\"sum\\": %d}\\n", input.A+input.B)
                }
                """);

        assertThat(fixture.result(adds, "{\"A\":40,\"B\":2}")).isEqualTo("{\"sum\": 42}");
    }

    @Test
    void compileErrorsHaveTheLinesOfTheScript() throws Exception {
        JobError type = error("package inner\n\nfunc main(n int) (string, error) {\n\treturn n, nil\n}\n", "{\"n\":1}");

        assertThat(type.getName()).isEqualTo("LoadError");
        assertThat(type.getRetryable()).isFalse();
        assertThat(type.getMessage())
                .startsWith("The script does not compile. Go says: greet.go:4:9: cannot use n")
                .doesNotContain(folder.toString(), "millrace.invalid", "script.go");
        assertThat(error("package inner\n\nfunc main( {\n", "{}").getMessage())
                .contains("The script cannot be read. Go says: greet.go:3:12: expected");
        assertThat(error("package inner\n\nfunc other() {}\n", "{}").getMessage())
                .contains("the script has no function main");
        assertThat(error("package inner\n\nimport \"C\"\n\nfunc main() {}\n", "{}")
                        .getMessage())
                .contains("greet.go:3:8: import \"C\" is not available");
        assertThat(error("package inner\n\nfunc main(all ...int) {}\n", "{}").getMessage())
                .contains("must not have a variable number");
    }

    @Test
    void anErrorOfMainFailsTheJob() throws Exception {
        JobError failed = error(
                "package inner\n\nimport \"errors\"\n\nfunc main() error { return errors.New(\"too late\") }\n", "{}");

        assertThat(failed.getMessage()).contains("exited with code 1", "too late");
    }

    @Test
    void refusesModulesThatAreFoldersOfTheMachine() throws Exception {
        String hash = fixture.scheduler.addScript(
                "f/greet.go",
                "go",
                "package inner\n\nfunc main() {}\n",
                "f/go.mod",
                "module x\n\ngo 1.20\n\nreplace example.test/x => /etc\n");

        assertThat(fixture.run(hash, "{}").getError().getMessage())
                .contains("The go.mod beside the script cannot be used", "example.test/x by a folder");
    }

    @Test
    void aProgramThatIgnoresTheRequestToStopIsKilledWithItsChildren() throws Exception {
        Lease lease = fixture.lease(script("""
                package inner

                import (
                	"fmt"
                	"os/exec"
                	"os/signal"
                	"syscall"
                	"time"
                )

                func main() error {
                	signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
                	child := exec.Command("sleep", "1000")
                	child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
                	if err := child.Start(); err != nil {
                		return err
                	}
                	fmt.Println("begun")
                	// Not a select without cases: Go ends a program that nothing can wake.
                	time.Sleep(time.Hour)
                	return nil
                }
                """), "{}");
        fixture.session.lease(lease);
        fixture.session.awaitLog(lease.getJobId(), "begun");

        fixture.session.cancel(lease);

        // The fixture checks at its end that no process is left.
        assertThat(fixture.result(script("package inner\n\nfunc main() int { return 1 }\n"), "{}"))
                .isEqualTo("1");
    }

    @Test
    void twoWorkersThatShareAFolderCompileTheSameVersionAtOnce() throws Exception {
        String source = "package inner\n\nfunc main() string { return \"both\" }\n";
        try (var other = new ScriptWorkerFixture(folder, options -> options)) {
            String here = script(source);
            String there = other.scheduler.addScript("f/greet.go", "go", source);
            assertThat(here).isEqualTo(there);

            fixture.session.lease(fixture.lease(here, "{}"));
            other.session.lease(other.lease(there, "{}"));

            for (FakeScheduler one : List.of(fixture.scheduler, other.scheduler)) {
                var session = one == fixture.scheduler ? fixture.session : other.session;
                assertThat(session.awaitAndAcceptResult().getResult().toStringUtf8())
                        .isEqualTo("\"both\"");
            }
            try (Stream<Path> versions =
                    Files.list(folder.resolve("prepared/default").resolve(here))) {
                assertThat(versions).as("one version, and nothing unfinished").hasSize(1);
            }
        }
    }
}
