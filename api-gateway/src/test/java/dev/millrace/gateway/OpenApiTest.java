package dev.millrace.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.gateway.console.ConsoleEndpoints;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.testing.GatewayTest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

class OpenApiTest extends GatewayTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Test
    void describesEveryRouteWithItsParametersAndNoOther() {
        var served = new TreeMap<String, Set<String>>();
        for (var endpoint : gateway.endpoints()) {
            if (!isPage(endpoint)) {
                for (var path : endpoint.paths()) {
                    served.put(endpoint.method() + " " + path.replace("{*", "{"), new TreeSet<>(endpoint.query()));
                }
            }
        }

        assertThat(described()).isEqualTo(served);
    }

    @Test
    void refersOnlyToWhatIsThere() {
        var document = document();

        for (var reference : document.findValuesAsText("$ref")) {
            assertThat(document.at(URLDecoder.decode(reference.substring(1), StandardCharsets.UTF_8))
                            .isMissingNode())
                    .as(reference)
                    .isFalse();
        }
        assertThat(document.path("openapi").asText()).startsWith("3.1.");
    }

    @Test
    void givesExamplesThatTheGatewayUnderstands() {
        var document = document();
        var submissions = document.at("/paths/~1api~1v1~1runs/post/requestBody/content/application~1json/examples");

        var examples = new ArrayList<JsonNode>();
        submissions.forEach(example -> examples.add(example.path("value")));
        assertThat(examples).hasSize(2);
        for (var example : examples) {
            assertThat(post("/api/v1/runs", example.toString()).statusCode()).isEqualTo(202);
        }
        for (var path : List.of(
                "/api/v1/runs:batch",
                "/api/v1/flows",
                "/api/v1/flows:validate",
                "/api/v1/flows:plan",
                "/api/v1/flows:convert",
                "/api/v1/scripts",
                "/api/v1/scripts:plan")) {
            var example = document.path("paths").path(path).at("/post/requestBody/content/application~1json/example");
            assertThat(post(path, example.toString()).statusCode()).as(path).isBetween(200, 202);
        }
    }

    @Test
    void givesExamplesThatFitItsSchemas() {
        assertThat(CONTRACT.checkExamples()).isEmpty();
    }

    private static Map<String, Set<String>> described() {
        var described = new TreeMap<String, Set<String>>();
        for (var operation : CONTRACT.operations()) {
            described.put(
                    operation.method() + " " + operation.path(),
                    new TreeSet<>(operation.query().keySet()));
        }
        return described;
    }

    /** Pages for people, calls of webhooks and the document itself are not part of the API. */
    private static boolean isPage(Endpoint endpoint) {
        return ConsoleEndpoints.isPage(endpoint.path())
                || endpoint.path().startsWith("/docs")
                || endpoint.path().startsWith("/login")
                || endpoint.path().startsWith(Endpoint.HOOKS)
                || endpoint.path().equals("/device")
                || endpoint.path().startsWith("/api/v1/docs")
                || endpoint.path().equals("/api/v1/openapi.yaml");
    }

    private JsonNode document() {
        Object tree = new Yaml(new SafeConstructor(new LoaderOptions()))
                .load(get("/api/v1/openapi.yaml").body());
        return MAPPER.valueToTree(tree);
    }
}
