package dev.millrace.e2e.input;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Answer;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.SharedInstallation;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid requests: the answer names the field, the value and what is expected. */
@ExtendWith(SharedInstallation.class)
final class BadRequestTest {
    private static final String UNKNOWN_ID = "0190f5a8-0000-7000-8000-000000000000";
    private static final int TOO_MANY_BYTES = 6 << 20;

    @ParameterizedTest
    @ValueSource(strings = {"", "/steps", "/events", "/logs", "/logs?follow=true"})
    void knowsNoRunWithThisId(String path, Api api) {
        String problem = api.get("/api/v1/runs/" + UNKNOWN_ID + path).problem(404, "run_not_found");

        assertThat(problem).contains(UNKNOWN_ID);
    }

    @Test
    void cannotCancelARunItDoesNotKnow(Api api) {
        assertThat(api.cancel(UNKNOWN_ID, "").problem(404, "run_not_found")).contains(UNKNOWN_ID);
    }

    @Test
    void refusesAnIdThatIsNone(Api api) {
        assertThat(api.get("/api/v1/runs/seven").problem(400, "invalid_request"))
                .contains("seven");
    }

    @Test
    void namesTheScriptOrFlowThatIsNotDeployed(Api api) {
        assertThat(submit(api, "{\"target\":{\"script\":\"no/such.py\"}}").problem(404, "script_not_found"))
                .contains("no/such.py");
        assertThat(submit(api, "{\"target\":{\"flow\":\"no-such\"}}").problem(404, "flow_not_found"))
                .contains("no-such");
        assertThat(api.get("/api/v1/flows/no-such").problem(404, "flow_not_found"))
                .contains("no-such");
        assertThat(api.get("/api/v1/scripts/no/such.py").problem(404, "script_not_found"))
                .contains("no/such.py");
    }

    @Test
    void refusesABodyThatIsNotJson(Api api) {
        submit(api, "{\"target\":").problem(400, "malformed_json");
    }

    @Test
    void refusesAFieldItDoesNotKnow(Api api) {
        assertThat(submit(api, "{\"target\":{\"script\":\"a.py\"},\"inptu\":{}}")
                        .problem(400, "unknown_field"))
                .contains("inptu");
    }

    @Test
    void refusesAnInputThatIsNoObject(Api api) {
        api.deployScript("input/any.py", "def main():\n    pass\n");

        assertThat(submit(api, "{\"target\":{\"script\":\"input/any.py\"},\"input\":[1]}")
                        .problem(400, "invalid_argument"))
                .contains("input");
    }

    @Test
    void refusesNumbersOutOfRange(Api api) {
        api.deployScript("input/any.py", "def main():\n    pass\n");

        assertThat(submit(api, "{\"target\":{\"script\":\"input/any.py\"},\"priority\":5000}")
                        .problem(400, "invalid_request"))
                .contains("priority", "5000", "1000");
        assertThat(api.get("/api/v1/runs?page_size=-3").problem(400, "invalid_request"))
                .contains("page_size", "-3");
        assertThat(api.get("/api/v1/runs?page_token=wheel").problem(400, "invalid_request"))
                .contains("page_token");
    }

    @Test
    void refusesAnInputLargerThanItsLimit(Api api) {
        api.deployScript("input/any.py", "def main(text: str):\n    pass\n");
        String body = "{\"target\":{\"script\":\"input/any.py\"},\"input\":{\"text\":\"" + "x".repeat(TOO_MANY_BYTES)
                + "\"}}";

        Answer answer = submit(api, body);

        assertThat(answer.status()).as("status of %s", answer.body()).isIn(400, 413);
        assertThat(answer.body().path("detail").asText()).contains("4194304");
    }

    @Test
    void failsAJobWhoseResultIsLargerThanItsLimit(Api api) {
        api.deployScript("input/large.py", "def main():\n    return 'x' * " + TOO_MANY_BYTES + "\n");

        JsonNode run = api.runToEnd(Map.of("target", Map.of("script", "input/large.py")));

        assertThat(run.path("error").path("name").asText())
                .as("error of %s", run)
                .isEqualTo("ResultTooLarge");
        assertThat(run.path("error").path("message").asText()).contains("larger than any result may be");
    }

    @Test
    void failsAJobWhoseInputDoesNotFitItsParameters(Api api) {
        Map<String, String> scripts = Map.of(
                "input/named.py", "def main(first: str, second: int = 2):\n    pass\n",
                "input/named.ts", "export function main(first: string, second = 2) {\n  return [first, second];\n}\n");

        for (String script : scripts.keySet()) {
            // Without this schema, the scheduler refuses the input once it knows the signature.
            Map<String, String> anything = Map.of("type", "object");
            api.post(
                            "/api/v1/scripts",
                            Map.of("path", script, "content", scripts.get(script), "input_schema", anything))
                    .ok();
            JsonNode run = api.runToEnd(Map.of("target", Map.of("script", script), "input", Map.of("frist", "a")));

            assertThat(run.path("error").path("name").asText())
                    .as("error of %s", run)
                    .isEqualTo("InputError");
            assertThat(run.path("error").path("message").asText()).contains("first", "second", "frist");
        }
    }

    private static Answer submit(Api api, String body) {
        return api.postText("/api/v1/runs", body);
    }
}
