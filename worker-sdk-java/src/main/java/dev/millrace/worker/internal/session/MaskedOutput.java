package dev.millrace.worker.internal.session;

import com.google.protobuf.ByteString;
import dev.millrace.proto.common.v1.JobError;
import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.worker.internal.secret.MaskedText;
import dev.millrace.worker.internal.secret.Masks;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.BiConsumer;

/** What one job sends, without secrets. Each stream of its log is searched for itself. Thread-safe; never blocks. */
final class MaskedOutput {
    private final Map<LogChunk.Stream, MaskedText> streams = new EnumMap<>(LogChunk.Stream.class);
    private volatile Masks masks = new Masks();

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
        synchronized (streams) {
            return streams.computeIfAbsent(stream, unused -> new MaskedText()).add(masks, text);
        }
    }

    /** Passes on what is withheld of each stream, since nothing follows. */
    void end(BiConsumer<LogChunk.Stream, String> receiver) {
        if (masks.isEmpty()) {
            return;
        }
        synchronized (streams) {
            streams.forEach((stream, text) -> receiver.accept(stream, text.end()));
            streams.clear();
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
