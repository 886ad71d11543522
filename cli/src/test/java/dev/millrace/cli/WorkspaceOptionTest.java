package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class WorkspaceOptionTest {
    private static final String RUN = "019a9f3e-7c1d-7d2a-8b3c-5f2e9d1c0a41";

    @AutoClose
    private final FakeGateway gateway = FakeGateway.start();

    @Test
    void namesTheWorkspaceInEachCall() {
        gateway.on("GET /workspaces/team-a/runs?page_size=1000", 200, "{\"items\":[]}")
                .on(
                        "POST /workspaces/team-a/runs/" + RUN + ":pin",
                        200,
                        "{\"id\":\"" + RUN + "\",\"state\":\"succeeded\"}")
                .onStream("GET /workspaces/team-a/runs/" + RUN + "/events?logs=false");

        run("runs", "list", "--workspace", "team-a");
        run("runs", "pin", RUN, "--workspace", "team-a");
        run("runs", "watch", RUN, "--workspace", "team-a");

        assertThat(gateway.requests()).hasSizeGreaterThan(2);
        assertThat(gateway.requests())
                .extracting(FakeGateway.Request::path)
                .allSatisfy(path -> assertThat(path).startsWith("/workspaces/team-a/runs"));
    }

    @Test
    void leavesTheShortAddressToWhoNamesNoneAndToWhatAllShare() {
        gateway.on("GET /workers?page_size=1000", 200, "{\"items\":[]}");

        run("runs", "list", "--workspace", "");
        run("runs", "list");
        run("workers", "list", "--workspace", "team-a");

        assertThat(gateway.requests())
                .extracting(FakeGateway.Request::path)
                .allSatisfy(path -> assertThat(path).doesNotContain("workspaces"));
    }

    @Test
    void namesTheDefaultIfTheUserDoes() {
        run("runs", "list", "--workspace", "default");

        assertThat(gateway.requests().getFirst().path()).startsWith("/workspaces/default/runs");
    }

    @Test
    void refusesWhatIsNoName() {
        CliRunner.Outcome outcome = run("runs", "list", "--workspace", "../team");

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.errors()).contains("The workspace '../team' is no name", "MILLRACE_WORKSPACE");
        assertThat(gateway.requests()).isEmpty();
    }

    private CliRunner.Outcome run(String... arguments) {
        return CliRunner.run(Stream.concat(Stream.of(arguments), Stream.of("--server=" + gateway.url()))
                .toArray(String[]::new));
    }
}
