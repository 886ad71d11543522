package dev.millrace.e2e.script;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.Json;
import dev.millrace.e2e.support.SharedInstallation;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** SQL scripts in flows, with a database from a resource. */
@ExtendWith(SharedInstallation.class)
final class SqlScriptTest {
    private static final String PASSWORD = "correct-horse-battery";

    private static final String FLOW = """
            millrace: v1
            name: sql/report
            inputs:
              upto: {type: integer}
            steps:
              - id: numbers
                script: numbers.sql
                input: {database: "${{ resources.sql.db }}", upto: "${{ inputs.upto }}"}
              - id: sum
                script: sum.py
                input: {rows: "${{ steps.numbers.result }}"}
              - id: secret
                script: secret.sql
                input: {database: "${{ resources.sql.db }}", key: "${{ secrets.sql.password }}"}
            """;

    private static final Map<String, String> SCRIPTS =
            Map.of("numbers.sql", """
            -- $1 upto (int) = 3
            create temporary table numbers as select n from generate_series(1, $1) as n;
            select n, n * 1.50 as price from numbers order by n;
            """, "sum.py", """
            def main(rows):
                return sum(row["price"] for row in rows)
            """, "secret.sql", "select length(:key) as length, :key as key");

    private static final String OPENFLOW = """
            summary: Rows
            value:
              modules:
                - id: a
                  value:
                    type: rawscript
                    language: postgresql
                    content: |
                      -- $1 name
                      select upper($1) as name
                    input_transforms:
                      database: {type: static, value: "$res:sql/db"}
                      name: {type: javascript, expr: flow_input.name}
                - id: b
                  value:
                    type: rawscript
                    language: python3
                    content: "def main(name): return name + '!'"
                    input_transforms:
                      name: {type: javascript, expr: "results.a[0].name"}
            """;

    private Api api;

    @BeforeEach
    void deploy(Installation shared) {
        api = shared.api();
        api.put("/api/v1/secrets/sql/password", Map.of("value", PASSWORD)).ok();
        api.put(
                        "/api/v1/resources/sql/db",
                        Map.of("value", database(shared.postgres().jdbcUrl())))
                .ok();
    }

    private static Map<String, Object> database(String jdbcUrl) {
        URI url = URI.create(jdbcUrl.substring("jdbc:".length()));
        Map<String, Object> database = new LinkedHashMap<>(Map.of(
                "host",
                url.getHost(),
                "port",
                url.getPort(),
                "dbname",
                url.getPath().substring(1)));
        for (String item : url.getQuery().split("&", -1)) {
            database.put(item.replaceFirst("=.*", ""), item.replaceFirst("[^=]*=", ""));
        }
        database.keySet().removeIf(key -> key.length() > "password".length());
        return database;
    }

    @Test
    void rowsGoFromStepToStep() {
        api.deployFlow(FLOW, SCRIPTS);

        JsonNode run = api.runToEnd(Map.of("target", Map.of("flow", "sql/report"), "input", Map.of("upto", 4)));

        Map<String, JsonNode> byStep = new LinkedHashMap<>();
        api.steps(run.path("id").asText())
                .forEach(step -> byStep.put(step.path("key").asText(), step.path("result")));
        JsonNode results = Json.of(byStep);
        assertThat(results.path("numbers").toString())
                .as("%s", run)
                .isEqualTo("[{\"n\":1,\"price\":1.5},{\"n\":2,\"price\":3.0},{\"n\":3,\"price\":4.5},"
                        + "{\"n\":4,\"price\":6.0}]");
        assertThat(results.path("sum").asDouble()).isEqualTo(15.0);
        assertThat(results.path("secret").toString())
                .isEqualTo("[{\"length\":" + PASSWORD.length() + ",\"key\":\"***\"}]");
    }

    @Test
    void scriptsOfWindmillRun() {
        api.post("/api/v1/flows", Map.of("path", "sql/openflow", "definition", OPENFLOW))
                .ok();

        JsonNode run = api.runToEnd(Map.of("target", Map.of("flow", "sql/openflow"), "input", Map.of("name", "ann")));

        assertThat(run.path("output").asText()).as("%s", run).isEqualTo("ANN!");
    }

    @Test
    void aFailedStatementSaysWhere() {
        api.deployScript("sql/bad.sql", "select nothing");
        Map<String, Object> input = Map.of("database", "postgresql://nobody:" + PASSWORD + "@localhost:1/none");

        JsonNode run = api.runToEnd(Map.of("target", Map.of("script", "sql/bad.sql"), "input", input));

        assertThat(run.path("error").path("name").asText()).as("%s", run).isEqualTo("ConnectionError");
        assertThat(run.path("error").path("message").asText()).contains("none on localhost:1");
    }
}
