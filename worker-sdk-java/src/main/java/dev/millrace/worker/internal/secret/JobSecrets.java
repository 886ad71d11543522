package dev.millrace.worker.internal.secret;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.millrace.proto.worker.v1.ResolveSecretsResponse;
import dev.millrace.proto.worker.v1.ResolvedValue;
import dev.millrace.worker.internal.secret.core.FilledJson;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The values of one job, as resolved right before it begins. */
public final class JobSecrets {
    private static final String EMPTY_INPUT = "{}";

    private final Map<String, byte[]> values = new HashMap<>();
    private final List<String> masked;

    public JobSecrets(ResolveSecretsResponse response) {
        for (ResolvedValue value : response.getValuesList()) {
            values.put(value.getPointer(), value.getValue().toByteArray());
        }
        masked = response.getMaskedList().stream().map(ByteString::toStringUtf8).toList();
    }

    /** Places of the values in the input, as JSON pointers. */
    public Set<String> pointers() {
        return Set.copyOf(values.keySet());
    }

    /** Secrets among the values. */
    public List<String> masked() {
        return masked;
    }

    /**
     * Returns the input with the values at their places.
     *
     * @throws IllegalArgumentException if a place does not exist; the message contains no value
     */
    public ByteString fill(ByteString input) {
        byte[] json = input.isEmpty() ? EMPTY_INPUT.getBytes(StandardCharsets.UTF_8) : input.toByteArray();
        return UnsafeByteOperations.unsafeWrap(FilledJson.fill(json, values));
    }

    @Override
    public String toString() {
        return "values of " + values.keySet();
    }
}
