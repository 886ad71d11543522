package dev.millrace.worker.internal.session;

import com.google.protobuf.ByteString;
import dev.millrace.proto.common.v1.JobError;
import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.worker.internal.secret.MaskedText;
import dev.millrace.worker.internal.secret.Masks;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What one job sends, without secrets. Each stream of its log is searched for itself. Thread-safe; never blocks. */
final class MaskedOutput {
    /** Those of jobs without secrets; nothing is ever added. */
    private static final Masks NONE = new Masks();

    private volatile Masks masks = NONE;
    private @Nullable Map<LogChunk.Stream, MaskedText> streams;

    Masks masks() {
        return masks;
    }

    void use(Masks secrets) {
        masks = secrets;
    }

    /** Returns what is certain of a stream; the rest follows with later text or at the end. */
    String log(LogChunk.Stream stream, String text) {
        if (masks.isEmpty()) {
            return text;
        }
        return masked(stream, text);
    }

    private synchronized String masked(LogChunk.Stream stream, String text) {
        Map<LogChunk.Stream, MaskedText> all = streams == null ? new EnumMap<>(LogChunk.Stream.class) : streams;
        streams = all;
        return all.computeIfAbsent(stream, unused -> new MaskedText()).add(masks, text);
    }

    /** Passes on what is withheld of each stream, since nothing follows. */
    void end(BiConsumer<LogChunk.Stream, String> receiver) {
        if (!masks.isEmpty()) {
            endAll(receiver);
        }
    }

    private synchronized void endAll(BiConsumer<LogChunk.Stream, String> receiver) {
        if (streams != null) {
            streams.forEach((stream, text) -> receiver.accept(stream, text.end()));
            streams = null;
        }
    }

    ByteString result(ByteString json) {
        return masks.json(json);
    }

    JobError error(JobError error) {
        if (masks.isEmpty()) {
            return error;
        }
        return error.toBuilder()
                .setName(masks.text(error.getName()))
                .setMessage(masks.text(error.getMessage()))
                .setStack(masks.text(error.getStack()))
                .build();
    }
}
