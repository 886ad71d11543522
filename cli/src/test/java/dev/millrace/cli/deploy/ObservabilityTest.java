package dev.millrace.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dashboards and alerts name metrics that exist, and each alert has a section that says what to do. */
class ObservabilityTest {
    private static final Path FOLDER = Path.of("../deploy/observability");
    private static final Path DASHBOARDS = FOLDER.resolve("grafana/dashboards");
    private static final Path ALERTS = FOLDER.resolve("alerts.yaml");
    private static final Path DOCS = Path.of("../docs");
    private static final Pattern METRIC = Pattern.compile("millrace_[a-z_]+");

    @Test
    void dashboardsAndAlertsNameMetricsThatExist() throws IOException {
        Set<String> known = metrics(Files.readString(DOCS.resolve("reference/metrics.md")));

        for (Path file : Stream.concat(dashboards().stream(), Stream.of(ALERTS)).toList()) {
            Set<String> used = new TreeSet<>();
            metrics(Files.readString(file)).forEach(name -> used.add(name.replaceFirst("_(bucket|count|sum)$", "")));
            assertThat(used).as("metrics in " + file).isNotEmpty().isSubsetOf(known);
        }
    }

    @Test
    void eachAlertSaysWhereToReadWhatToDo() throws IOException {
        String alerts = Files.readString(ALERTS);
        String sections = Files.readString(DOCS.resolve("reference/alerts.md"));
        List<String> names = Pattern.compile("- alert: (\\w+)")
                .matcher(alerts)
                .results()
                .map(match -> match.group(1))
                .toList();

        assertThat(names).isNotEmpty().allSatisfy(name -> {
            assertThat(sections).contains("\n## " + name + "\n");
            assertThat(alerts).contains("runbook: docs/reference/alerts.md#" + name.toLowerCase(Locale.ROOT) + "\n");
        });
    }

    @Test
    void dashboardsHavePanelsThatDoNotOverlap() throws IOException {
        for (Path file : dashboards()) {
            JsonNode dashboard = new ObjectMapper().readTree(file.toFile());
            assertThat(dashboard.path("uid").asText()).startsWith("millrace-");
            Set<JsonNode> places = new HashSet<>();
            Set<Integer> ids = new HashSet<>();
            for (JsonNode panel : dashboard.path("panels")) {
                assertThat(places.add(panel.path("gridPos"))).isTrue();
                assertThat(ids.add(panel.path("id").asInt())).isTrue();
                assertThat(panel.path("datasource").path("uid").asText()).isEqualTo("prometheus");
                assertThat(panel.path("targets")).isNotEmpty();
            }
        }
    }

    /** Each expression as a rule, because promtool reads rules. What Grafana replaces has a value that fits. */
    @Test
    void promtoolReadsEachExpressionOfADashboard(@TempDir Path folder) throws IOException, InterruptedException {
        assumeTrue(hasPromtool(), "promtool is not installed: Debian has it in the package prometheus");
        ArrayNode rules = new ObjectMapper().createArrayNode();
        for (Path file : dashboards()) {
            for (JsonNode expression :
                    new ObjectMapper().readTree(file.toFile()).findValues("expr")) {
                String filled =
                        expression.asText().replace("$__rate_interval", "5m").replaceAll("\\$\\w+", "value");
                rules.addObject().put("record", "panel:expression").put("expr", filled);
            }
        }
        ObjectNode groups = new ObjectMapper().createObjectNode();
        groups.putArray("groups").addObject().put("name", "panels").set("rules", rules);
        Path written = Files.writeString(folder.resolve("panels.yaml"), groups.toString());

        assertThat(rules).hasSizeGreaterThan(50);
        assertThat(promtool("check", "rules", "--lint=none", written.toString()))
                .contains("SUCCESS");
    }

    @Test
    void alertsFireAsTheirTestsSay() throws IOException, InterruptedException {
        assumeTrue(hasPromtool(), "promtool is not installed: Debian has it in the package prometheus");

        assertThat(promtool("check", "config", "prometheus.yaml")).contains("SUCCESS");
        assertThat(promtool("test", "rules", "alerts.test.yaml")).contains("SUCCESS");
    }

    private static boolean hasPromtool() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "promtool")));
    }

    /** Runs promtool, which must succeed, and returns what it prints. */
    private static String promtool(String... arguments) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(Stream.concat(Stream.of("promtool"), Stream.of(arguments))
                        .toList())
                .directory(FOLDER.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private static List<Path> dashboards() throws IOException {
        try (Stream<Path> files = Files.list(DASHBOARDS)) {
            return files.sorted().toList();
        }
    }

    private static Set<String> metrics(String text) {
        Set<String> names = new TreeSet<>();
        METRIC.matcher(text).results().forEach(match -> names.add(match.group()));
        return names;
    }
}
