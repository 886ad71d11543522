package dev.millrace.gateway.operation;

import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.JsonReader;
import dev.millrace.proto.operation.v1.OperationKind;
import java.io.IOException;

/** Names of operations in JSON. Each is also the verb of the operation's address. */
final class OperationNames {
    private static final String PREFIX = "OPERATION_KIND_";

    private OperationNames() {}

    static String json(OperationKind kind) {
        return EnumNames.json(kind, PREFIX);
    }

    static OperationKind read(JsonReader json) throws IOException {
        var name = json.text();
        return EnumNames.parse(OperationKind.class, PREFIX, name)
                .orElseThrow(() -> json.wrong(
                        "is \"" + name + "\" (expected: " + EnumNames.known(OperationKind.class, PREFIX) + ")"));
    }
}
