package dev.millrace.scheduler.flow.dialect.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.machine.WorkflowRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpTaskTest {
    private static final String FLOW = """
            {"name": "w", "tasks": [
              {"name": "h", "taskReferenceName": "h", "type": "HTTP", "inputParameters": {"uri": "http://a.example/", %s}},
              {"name": "after", "taskReferenceName": "after", "inputParameters": {"r": "${h.output.response%s}"}}
            ]}
            """;

    private static WorkflowRun reading(String path) {
        return WorkflowRun.of("conductor", FLOW.formatted("\"method\": \"GET\"", path), "{}");
    }

    @Test
    void asksForJsonAsConductorDoes() {
        assertThat(reading("").input("h"))
                .isEqualTo(
                        "{\"url\":\"http://a.example/\",\"method\":\"GET\",\"headers\":{\"Accept\":\"application/json\","
                                + "\"Content-Type\":\"application/json\"},\"connect_timeout\":3,\"read_timeout\":3,\"timeout\":3600,"
                                + "\"fail_from_status\":300,\"retry_on_status\":\"all\",\"response_headers\":\"lists\",\"response_body\":\"guessed\"}");
        assertThat(WorkflowRun.of("conductor", FLOW.formatted("\"headers\": {\"accept\": \"text/csv\"}", ""), "{}")
                        .input("h"))
                .contains("{\"Content-Type\":\"application/json\",\"accept\":\"text/csv\"}");
    }

    @Test
    void waitsAsLongAsConductorDoes() {
        String limits = "\"connectionTimeOut\": 0, \"readTimeOut\": \"20000\"";
        assertThat(WorkflowRun.of("conductor", FLOW.formatted(limits, ""), "{}").input("h"))
                .as("0 is no limit")
                .contains("\"connect_timeout\":3600,\"read_timeout\":20.0,\"timeout\":3600");
    }

    @Test
    void givesStatusReasonAndHeadersAsArrays() {
        String result =
                "{\"status\":201,\"headers\":{\"content-type\":[\"a/b\",\"c\"]},\"body\":{\"n\":1},\"duration_ms\":3}";
        assertThat(reading("").succeed("h", result).input("after"))
                .isEqualTo(
                        "{\"r\":{\"statusCode\":201,\"reasonPhrase\":\"Created\",\"headers\":{\"content-type\":[\"a/b\",\"c\"]},"
                                + "\"body\":{\"n\":1}}}");
        assertThat(reading(".headers.content-type[0]").succeed("h", result).input("after"))
                .isEqualTo("{\"r\":\"a/b\"}");
        assertThat(reading(".reasonPhrase").succeed("h", result).input("after")).isEqualTo("{\"r\":\"Created\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '\'',
            value = {
                "5; 5",
                "0.10; 0.10",
                "12345678901234567890123; 12345678901234567890123",
                "true; \"true\"",
                "\"x\"; \"x\"",
                "null; null",
                "[1]; [1]"
            })
    void readsABodyAsConductorDoesButKeepsDigits(String body, String read) {
        assertThat(reading(".body")
                        .succeed("h", "{\"status\":200,\"headers\":{},\"body\":" + body + "}")
                        .input("after"))
                .isEqualTo("{\"r\":" + read + "}");
    }
}
