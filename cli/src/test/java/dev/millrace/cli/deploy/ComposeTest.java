package dev.millrace.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** What `docker compose up` would start fits together: files that are mounted exist, and each program finds the others. */
class ComposeTest {
    private static final Path FOLDER = Path.of("../deploy/observability");
    private static final Set<String> KEYS = Set.of("image", "network_mode", "command", "environment", "volumes");

    private final Map<String, Object> services = map(read(FOLDER.resolve("compose.yaml")), "services");

    @Test
    void servicesArePinnedAndMountWhatExistsForReading() {
        assertThat(services).containsOnlyKeys("prometheus", "grafana", "jaeger");
        services.keySet().forEach(name -> {
            assertThat(service(name)).as(name).containsOnlyKeys(keys(name));
            assertThat(service(name).get("image").toString()).matches("[a-z/-]+:v?\\d+\\.\\d+\\.\\d+");
            assertThat(service(name)).containsEntry("network_mode", "host");
        });
        services.keySet()
                .forEach(name -> mounts(name)
                        .values()
                        .forEach(file ->
                                assertThat(file).as("mounted by " + name).exists()));
    }

    @Test
    void everythingListensOnLoopbackOnly() {
        List<String> options = services.keySet().stream()
                .flatMap(name -> arguments(name).stream())
                .toList();
        assertThat(options)
                .filteredOn(option -> option.contains("listen-address") || option.contains("host-port"))
                .hasSize(8)
                .allMatch(option -> option.contains("=127.0.0.1:"));
        assertThat(map(service("grafana"), "environment")).containsEntry("GF_SERVER_HTTP_ADDR", "127.0.0.1");
    }

    @Test
    void prometheusFindsItsRulesAndMillrace() {
        Map<String, Path> mounts = mounts("prometheus");
        Path config = mounts.get(option("prometheus", "--config.file"));
        assertThat(config).isNotNull();
        Map<String, Object> prometheus = read(config);
        Path folder = Path.of(option("prometheus", "--config.file")).resolveSibling("");
        list(prometheus, "rule_files")
                .forEach(rules -> assertThat(mounts)
                        .containsKey(folder.resolve(rules.toString()).toString()));
        assertThat(list(prometheus, "scrape_configs")).hasSize(3);
    }

    @Test
    void grafanaFindsItsDashboardsAndBothSources() throws IOException {
        Map<String, Path> mounts = mounts("grafana");
        Path provisioning = mounts.get("/etc/grafana/provisioning");
        assertThat(provisioning).isNotNull();
        List<Map<String, Object>> sources = new ArrayList<>();
        for (Path file : files(provisioning.resolve("datasources"))) {
            list(read(file), "datasources").forEach(source -> sources.add(cast(source)));
        }
        assertThat(sources)
                .extracting(source -> source.get("uid") + " at " + source.get("url"))
                .containsExactlyInAnyOrder(
                        "prometheus at http://" + option("prometheus", "--web.listen-address"),
                        "jaeger at http://" + option("jaeger", "--query.http-server.host-port"));
        for (Path file : files(provisioning.resolve("dashboards"))) {
            for (Object provider : list(read(file), "providers")) {
                assertThat(mounts)
                        .containsKey(map(cast(provider), "options").get("path").toString());
            }
        }
    }

    private static String[] keys(String name) {
        return KEYS.stream()
                .filter(key -> switch (key) {
                    case "command" -> !name.equals("grafana");
                    case "environment" -> name.equals("grafana");
                    case "volumes" -> !name.equals("jaeger");
                    default -> true;
                })
                .toArray(String[]::new);
    }

    private Map<String, Object> service(String name) {
        return map(services, name);
    }

    private List<String> arguments(String name) {
        return service(name).containsKey("command")
                ? list(service(name), "command").stream().map(Object::toString).toList()
                : List.of();
    }

    private String option(String name, String option) {
        return arguments(name).stream()
                .filter(argument -> argument.startsWith(option + "="))
                .map(argument -> argument.substring(option.length() + 1))
                .findFirst()
                .orElseThrow();
    }

    /** Files and folders of this repository by where a container finds them. */
    private Map<String, Path> mounts(String name) {
        Map<String, Path> mounts = new HashMap<>();
        if (service(name).containsKey("volumes")) {
            for (Object volume : list(service(name), "volumes")) {
                String[] parts = volume.toString().split(":");
                assertThat(parts).as(volume.toString()).hasSize(3).contains("ro");
                mounts.put(parts[1], FOLDER.resolve(parts[0]).normalize());
            }
        }
        return mounts;
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> found = files.sorted().toList();
            assertThat(found).isNotEmpty();
            return found;
        }
    }

    private static Map<String, Object> read(Path file) {
        try {
            return cast(new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(file)));
        } catch (IOException missing) {
            throw new AssertionError(missing);
        }
    }

    private static Map<String, Object> map(Map<String, Object> all, String key) {
        return cast(all.get(key));
    }

    private static List<?> list(Map<String, Object> all, String key) {
        assertThat(all).containsKey(key);
        return (List<?>) all.get(key);
    }

    @SuppressWarnings("unchecked") // YAML
    private static Map<String, Object> cast(Object map) {
        return (Map<String, Object>) map;
    }
}
