package dev.millrace.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.system.DatabaseServer;
import dev.millrace.bench.workload.Bench;
import dev.millrace.harness.Postgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All results of one run of the benchmarks. */
public final class Results {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Environment environment;

    private Results(Environment environment) {
        this.environment = environment;
    }

    public static Results begin(Bench bench) throws SQLException {
        try (Postgres database = bench.server().createDatabase()) {
            return new Results(Environment.now(DatabaseServer.text(database, "show server_version")));
        }
    }

    /** One JSON object: place and time, and the figures of each workload under its name. */
    public String json(List<Figures> measured) {
        Map<String, Object> all = new LinkedHashMap<>(environment.values());
        var workloads = new LinkedHashMap<String, Object>();
        measured.forEach(figures -> workloads.put(figures.workload(), figures.values()));
        all.put("workloads", workloads);
        try {
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(all);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Figures are plain values.", e);
        }
    }

    /** Writes the table, the plots and the JSON of a run of all workloads. */
    public void write(Path folder, List<Figures> measured) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("latest.json"), json(measured) + "\n");
        Files.writeString(folder.resolve("latest.md"), ResultTable.of(environment, measured));
        for (Map.Entry<String, String> plot : Plots.of(measured).entrySet()) {
            Files.writeString(folder.resolve(plot.getKey() + ".svg"), plot.getValue());
        }
    }
}
