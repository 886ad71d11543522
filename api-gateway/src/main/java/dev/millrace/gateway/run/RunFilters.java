package dev.millrace.gateway.run;

import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.json.EnumNames;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.Run;

/** Reads which runs a request wants, apart from their payloads. */
final class RunFilters {

    private RunFilters() {}

    static ListRunsRequest.Builder read(ApiRequest request) {
        var list = ListRunsRequest.newBuilder().setName(request.query("name"));
        request.time("created_from").ifPresent(list::setCreatedFrom);
        request.time("created_before").ifPresent(list::setCreatedBefore);
        if (!request.query("kind").isEmpty()) {
            list.setKind(EnumNames.parse(ListRunsRequest.Kind.class, "KIND_", request.query("kind"))
                    .orElseThrow(() -> ApiRequest.wrongQuery(
                            "kind",
                            "is \"" + request.query("kind") + "\" (expected: "
                                    + EnumNames.known(ListRunsRequest.Kind.class, "KIND_") + ")")));
        }
        for (var state : request.queryList("state")) {
            list.addStates(EnumNames.parse(Run.State.class, "STATE_", state)
                    .orElseThrow(() -> ApiRequest.wrongQuery(
                            "state",
                            "is \"" + state + "\" (expected: " + EnumNames.known(Run.State.class, "STATE_") + ")")));
        }
        return list;
    }
}
