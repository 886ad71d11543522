package dev.millrace.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.FakeGateway;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RunsLogsCommandTest {
    @AutoClose
    private final FakeGateway gateway = FakeGateway.start();

    @BeforeEach
    void prepare() {
        gateway.on("GET /runs/r1/logs", 200, """
                {"items":[
                  {"step":"split","stream":"stdout","text":"one\\n"},
                  {"step":"count[0]","stream":"stdout","text":"two\\n"},
                  {"step":"count[10]","stream":"stdout","text":"three\\n"},
                  {"step":"counter","stream":"stdout","text":"four\\n"}],
                 "next_page_token":""}
                """)
                .on("GET /runs/r1/steps", 200, "{\"items\":[{\"key\":\"quiet\"}],\"next_page_token\":\"\"}");
    }

    private CliRunner.Outcome logs(String... more) {
        String[] arguments = new String[more.length + 5];
        System.arraycopy(new String[] {"runs", "logs", "r1", "--server", gateway.url()}, 0, arguments, 0, 5);
        System.arraycopy(more, 0, arguments, 5, more.length);
        return CliRunner.run(arguments);
    }

    @Test
    void printsAStepWithAllInsideIt() {
        assertThat(logs("--step", "count").output()).isEqualTo("count[0] | two\ncount[10] | three\n");
        assertThat(logs("--step", "count[0]").output()).isEqualTo("count[0] | two\n");
    }

    @Test
    void saysThatAStepHasPrintedNothing() {
        CliRunner.Outcome outcome = logs("--step", "quiet");

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.OK.number());
        assertThat(outcome.output()).isEmpty();
        assertThat(outcome.errors()).contains("Step \"quiet\" has printed nothing.");
    }

    @Test
    void failsForAStepThatIsNotThere() {
        for (String output : new String[] {"text", "json"}) {
            CliRunner.Outcome outcome = logs("--step", "nosuch", "--output", output);

            assertThat(outcome.exitCode()).isEqualTo(ExitCode.NOT_FOUND.number());
            assertThat(outcome.errors()).contains("No step", "nosuch", "./millrace runs get r1");
        }
    }
}
