package dev.millrace.cli.definition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.FakeGateway;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ScriptsPackagesCommandTest {
    private static final String LOCK = """
            {"interpreter": "python3.12", "inferred": ["Zope.Interface"], "packages": [
              {"name": "colorama", "version": "0.4.6", "condition": "sys_platform == 'win32'"},
              {"name": "tool", "version": "https://example.org/tool-1.whl"},
              {"name": "zope-interface", "version": "8.1"}]}
            """;

    @Test
    void showsWhatWasChosenAndInferred() {
        CliRunner.Outcome outcome = packages("[" + LOCK + "]");

        assertThat(outcome.output()
                        .lines()
                        .map(line -> line.replaceAll(" +", " ").strip()))
                .containsExactly(
                        "INTERPRETER PACKAGE VERSION INFERRED",
                        "python3.12 colorama 0.4.6",
                        "python3.12 tool https://example.org/tool-1.whl",
                        "python3.12 zope-interface 8.1 from an import");
    }

    @Test
    void printsADeclarationOfExactlyTheseVersions() {
        assertThat(packages("[" + LOCK + "]", "--pin").output()).isEqualTo("""
                # /// script
                # dependencies = [
                #   "colorama==0.4.6 ; sys_platform == 'win32'",
                #   "tool @ https://example.org/tool-1.whl",
                #   "zope-interface==8.1",
                # ]
                # ///
                """);
    }

    @Test
    void saysWhatToDoIfThereIsNoSingleChoice() {
        assertThat(packages("[]").output()).startsWith("No packages are chosen for shop/a.py: it needs none, or");
        assertThat(packages("[]", "--pin").errors()).contains("Run it first, or deploy it with --wait.");
        assertThat(packages("[" + LOCK + "," + LOCK + "]", "--pin").errors())
                .contains("Several interpreters have run shop/a.py");
    }

    private static CliRunner.Outcome packages(String locks, String... options) {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("GET /scripts/shop/a.py", 200, "{\"path\":\"shop/a.py\",\"package_locks\":" + locks + "}");
            String[] command = {"scripts", "packages", "shop/a.py", "--server", gateway.url()};
            return CliRunner.run(
                    Stream.concat(Stream.of(command), Stream.of(options)).toArray(String[]::new));
        }
    }
}
