package dev.millrace.scheduler.lane;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The plan with which Postgres executed a statement, from {@code explain (analyze, format json)}. */
record QueryPlan(JsonNode plan) {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Tables that stay small, however long an installation runs. */
    private static final Set<String> DO_NOT_GROW = Set.of("session_watch", "server_secret", "metric_snapshot");

    static QueryPlan parse(String json) {
        try {
            return new QueryPlan(JSON.readTree(json).get(0).get("Plan"));
        } catch (JsonProcessingException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** One node that reads a table. */
    private record Scan(JsonNode node) {
        String kind() {
            return node.get("Node Type").asText();
        }

        boolean usesIndex() {
            return kind().startsWith("Index") || kind().equals("Bitmap Index Scan");
        }

        double rows(String what) {
            return node.path(what).asDouble() * node.path("Actual Loops").asDouble();
        }

        /** Whether the node reads the default partition, which is empty because partitions are created in advance. */
        boolean isOfDefaultPartition() {
            return node.path("Relation Name").asText().endsWith("_default");
        }

        @Override
        public String toString() {
            return kind() + " of " + node.path("Relation Name").asText()
                    + " by " + node.path("Index Name").asText() + " where "
                    + node.path("Index Cond").asText() + ": "
                    + (long) rows("Actual Rows") + " rows, " + (long) rows("Rows Removed by Filter") + " removed by "
                    + node.path("Filter").asText();
        }
    }

    /**
     * Returns the defects of the plan.
     *
     * @param rowsMax maximum number of rows that one scan of the plan may read
     */
    List<String> troubles(int rowsMax) {
        List<String> troubles = new ArrayList<>();
        for (Scan scan : scans()) {
            if (scan.kind().equals("Seq Scan")
                    && !DO_NOT_GROW.contains(scan.node().get("Relation Name").asText())) {
                troubles.add("reads a whole table: " + scan);
            }
            if (scan.usesIndex() && !scan.node().has("Index Cond") && !scan.isOfDefaultPartition()) {
                troubles.add("reads a whole index: " + scan);
            }
            if (scan.rows("Actual Rows") + scan.rows("Rows Removed by Filter") > rowsMax) {
                troubles.add("reads many rows: " + scan);
            }
        }
        return troubles;
    }

    /** Number of scans of the table or its partitions that were executed. */
    long scansOf(String table) {
        return scans().stream()
                .filter(scan -> scan.node().path("Relation Name").asText().startsWith(table))
                .filter(scan -> scan.rows("Actual Loops") > 0)
                .count();
    }

    Set<String> indexes() {
        Set<String> names = new TreeSet<>();
        scans().forEach(scan -> names.add(scan.node().path("Index Name").asText()));
        return names;
    }

    private List<Scan> scans() {
        List<Scan> scans = new ArrayList<>();
        collect(plan, scans);
        return scans;
    }

    private static void collect(JsonNode node, List<Scan> scans) {
        Scan scan = new Scan(node);
        if (scan.usesIndex() || scan.kind().equals("Seq Scan")) {
            scans.add(scan);
        }
        node.path("Plans").forEach(below -> collect(below, scans));
    }
}
