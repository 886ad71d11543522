package dev.millrace.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.gateway.testing.GatewayTest;
import org.junit.jupiter.api.Test;

class PayloadFidelityTest extends GatewayTest {

    private static final String INPUT = """
            {"z" : 123456789012345678901234567890.1000, "a":1e400,  "\\u00e9": "é ✓ 😀 \\ud83d\\ude00 \\/",
            \t"nested": [ {"b":1,"a":-0.0}, null, true ] }""";

    @Test
    void handsTheInputOnByteForByte() {
        post("/api/v1/runs", "{\"target\":{\"script\":\"a\"}, \"input\" : " + INPUT + " }");

        assertThat(scheduler.runs.lastSpec.getInput().toStringUtf8()).isEqualTo(INPUT);
    }

    @Test
    void handsTheInputsOfABatchOnByteForByte() {
        post("/api/v1/runs:batch", "{\"items\":[{\"input\":" + INPUT + ",\"target\":{\"script\":\"a\"}}]}");

        assertThat(scheduler.runs.lastSpec.getInput().toStringUtf8()).isEqualTo(INPUT);
    }

    @Test
    void returnsTheOutputByteForByte() {
        var response = post("/api/v1/runs?wait=1s", "{\"target\":{\"script\":\"a\"},\"input\":" + INPUT + "}");

        assertThat(response.body()).contains("\"input\":" + INPUT + ",\"output\":" + INPUT + ",");
    }

    @Test
    void copiesPayloadsThatAreLargerThanTheBuffers() {
        var large = "{\"text\":\"" + "é".repeat(1_000_000) + "\"}";

        var response = post("/api/v1/runs?wait=1s", "{\"target\":{\"script\":\"a\"},\"input\":" + large + "}");

        assertThat(response.body()).contains("\"output\":" + large);
    }

    @Test
    void takesABodyWithAByteOrderMark() {
        var response = post("/api/v1/runs", "\uFEFF{\"target\":{\"script\":\"a\"},\"input\":" + INPUT + "}");

        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        assertThat(scheduler.runs.lastSpec.getInput().toStringUtf8()).isEqualTo(INPUT);
    }

    @Test
    void leavesTheInputOutWhereItIsAbsent() {
        post("/api/v1/runs", "{\"target\":{\"script\":\"a\"},\"input\":null}");

        assertThat(scheduler.runs.lastSpec.getInput().isEmpty()).isTrue();
    }
}
