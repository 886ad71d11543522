package dev.millrace.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.FakeGateway;
import org.junit.jupiter.api.Test;

class ServerStatusCommandTest {
    private static final String ANSWER = """
            {"retention": [
              {"table": "job_history", "holds": "Ended runs", "age": "2592000s", "rows_estimate": 1234567, "bytes": 5368709120,
               "removed_rows": 1000},
              {"table": "mutex", "holds": "Mutexes", "age": "3600s", "rows_estimate": 0, "bytes": 24576, "removed_rows": 0},
              {"table": "result_cache", "holds": "Results", "age": "0s", "rows_estimate": 3, "bytes": 1000000, "removed_rows": 0,
               "failure_time": "2026-01-31T08:00:00Z", "error": "no space"}
            ]}
            """;

    @Test
    void showsWhatIsKeptAndWhichSweepFailed() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("GET /server/status", 200, ANSWER);

            CliRunner.Outcome outcome = CliRunner.run("server", "status", "--server", gateway.url());

            assertThat(outcome.output()).startsWith("""
                    KEPT         FOR        ROWS       SIZE  OLDEST  SWEPT  REMOVED
                    Ended runs  30 d  ~1,234,567    5.0 GiB                   1,000
                    Mutexes      1 h          ~0   24.0 KiB                       0
                    Results                   ~3  976.6 KiB                       0
                    The sweep of result_cache failed at 2026-01-31\
                    """);
            assertThat(outcome.output()).endsWith("and will be tried again: no space\n");
        }
    }

    @Test
    void printsTheAnswerAsJson() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("GET /server/status", 200, ANSWER);

            CliRunner.Outcome outcome =
                    CliRunner.run("server", "status", "--server", gateway.url(), "--output", "json");

            assertThat(outcome.output()).contains("\"rows_estimate\"").contains("\"no space\"");
        }
    }
}
