package dev.millrace.scheduler.trigger;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.ProtocolMessageEnum;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.scheduler.submission.RunTemplate;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads what the declared triggers of all kinds have in common: {@code input} and {@code description}. */
public final class DeclaredSpecProtos {
    private DeclaredSpecProtos() {}

    /** A trigger that starts a flow, with these settings of its kind. */
    public static TriggerSpec read(String flow, DeclaredFields fields, Message settings) {
        RunSpec.Builder run =
                RunSpec.newBuilder().setTarget(RunTarget.newBuilder().setFlowPath(flow));
        fields.value("input").ifPresent(input -> run.setInput(ByteString.copyFromUtf8(input.text())));
        return new TriggerSpec(
                RunTemplate.of(run.build()),
                settings.toByteString(),
                fields.text("description").orElse(""));
    }

    /** The value of an enum that a word names. An unknown word is noted. */
    public static <E extends Enum<E> & ProtocolMessageEnum> Optional<E> word(
            DeclaredFields fields, String key, String prefix, E[] values, E unrecognized) {
        Optional<String> word = fields.text(key);
        if (word.isEmpty()) {
            return Optional.empty();
        }
        List<E> known = Arrays.stream(values)
                .filter(value -> value != unrecognized && value.getNumber() != 0)
                .toList();
        Optional<E> found = known.stream()
                .filter(value -> value.name().equals(prefix + word.get().toUpperCase(Locale.ROOT)))
                .findFirst();
        if (found.isEmpty()) {
            List<String> words = known.stream()
                    .map(value -> value.name().substring(prefix.length()).toLowerCase(Locale.ROOT))
                    .toList();
            fields.refuse(key, "\"" + word.get() + "\" (expected: one of " + String.join(", ", words) + ")");
        }
        return found;
    }
}
