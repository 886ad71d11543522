package dev.millrace.e2e.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Chromium;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.SharedInstallation;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Does all that the pages of runs offer, in a browser; names, errors and logs try to be code. */
@Tag("nightly")
@ExtendWith(SharedInstallation.class)
final class ConsoleActionsTest {
    private static final Path PICTURES = Path.of("target", "console-actions");
    private static final String FLOW = "console/actions";
    private static final String DEFINITION = """
            millrace: v1
            name: console/actions
            inputs: {n: {type: integer}}
            steps:
              - {id: first, script: act.py, input: {n: "${{ inputs.n }}"}}
              - {id: side, script: act.py, needs: [], input: {n: 1}}
              - {id: ask, needs: [first], wait: {approval: release}}
              - {id: go, wait: {signal: go}}
              - {id: last, needs: [go, side], script: act.py, input: {n: "${{ steps.first.result }}"}}
            """;
    private static final String TWO_PEOPLE = "console/two-people";
    private static final String TWO_PEOPLE_DEFINITION = """
            millrace: v1
            name: console/two-people
            steps:
              - id: ask
                wait:
                  human: release
                  required: 2
                  details:
                    title: Ship it?
                    form: {type: object, properties: {note: {type: string, title: Note}}}
            """;
    private static final Map<String, String> FILES = Map.of("act.py", """
            def main(n):
                print("\\x1b[31mred\\x1b[0m <script>alert(2)</script>", n)
                if n == 13:
                    raise ValueError("<img src=x onerror=alert(1)>")
                return n
            """);

    private static final String LOGGER = "console/logger.py";
    private static final String LOGGER_SOURCE = """
            import logging

            def main():
                logging.basicConfig(level="INFO")
                print("an ordinary line")
                logging.info("begins")
                logging.warning("slow")
                try:
                    raise ValueError("no money")
                except ValueError:
                    logging.exception("declined")
            """;

    @Test
    void doesWhatThePagesOfRunsOffer(Installation installation, Api api) {
        Chromium chromium = Chromium.findOrSkip();
        api.deployFlow(DEFINITION, FILES);
        api.deployFlow(TWO_PEOPLE_DEFINITION, Map.of());
        api.deployScript(LOGGER, LOGGER_SOURCE);

        JsonNode seen = chromium.run(
                "console_actions.mjs",
                Map.of(
                        "gateway",
                        installation.cluster().gatewayUrl().toString(),
                        "flow",
                        FLOW,
                        "twoPeople",
                        TWO_PEOPLE,
                        "logger",
                        LOGGER,
                        "newVersion",
                        Map.of(
                                "definition",
                                DEFINITION + "  - {id: brand_new, script: act.py, input: {n: 1}}\n",
                                "files",
                                FILES)),
                PICTURES);

        assertThat(seen.path("findings"))
                .as("findings; pictures are in %s", PICTURES)
                .isEmpty();
    }
}
