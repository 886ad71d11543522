package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.client.Run;
import dev.millrace.cli.output.BranchKeys;
import dev.millrace.cli.yaml.InvalidYaml;
import dev.millrace.cli.yaml.YamlText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Names of parallel branches, which keys of steps number: they stand in the definition of the flow only. Definitions in other
 * dialects than our own have none.
 */
final class BranchNames {
    private static final String DIALECT = "millrace";

    private BranchNames() {}

    /** The names in the definition of a run; none if the caller may not read the flow. */
    static BranchKeys of(MillraceClient client, Run run) {
        String hash = run.json().at("/target/flow_hash").asText();
        if (hash.isEmpty()) {
            return BranchKeys.NONE;
        }
        try {
            JsonNode flow = client.get(ApiPath.of("/flows").child(run.name()).with("hash", hash));
            return Json.text(flow, "dialect").equals(DIALECT) ? in(Json.text(flow, "definition")) : BranchKeys.NONE;
        } catch (CommandFailure unreadable) {
            return BranchKeys.NONE;
        }
    }

    static BranchKeys in(String definition) {
        Map<String, List<String>> names = new HashMap<>();
        try {
            collect(YamlText.parse(definition), names);
        } catch (InvalidYaml notOurs) {
            return BranchKeys.NONE;
        }
        names.values().removeIf(List::isEmpty);
        return new BranchKeys(names);
    }

    private static void collect(JsonNode node, Map<String, List<String>> names) {
        JsonNode branches = node.path("parallel").path("branches");
        List<String> named = branches.valueStream()
                .map(branch -> Json.text(branch, "name"))
                .filter(name -> !name.isEmpty())
                .toList();
        boolean isNamed = !named.isEmpty() && named.size() == branches.size();
        String id = Json.text(node, "id");
        // Steps of different lists may have the same id: better no name than a wrong one.
        if (!id.isEmpty()) {
            names.merge(id, isNamed ? named : List.of(), (one, other) -> one.equals(other) ? one : List.of());
        }
        node.forEach(inner -> collect(inner, names));
    }
}
