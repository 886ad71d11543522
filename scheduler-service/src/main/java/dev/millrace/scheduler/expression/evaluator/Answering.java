package dev.millrace.scheduler.expression.evaluator;

import dev.millrace.scheduler.expression.EvaluationFailed;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Child side of a {@link Wire}: answers requests one after another until the scheduler closes its side. */
public final class Answering {
    private final Wire wire;
    private final Map<Language, Engine> engines;

    public Answering(Wire wire, Map<Language, Engine> engines) {
        this.wire = wire;
        this.engines = Map.copyOf(engines);
    }

    /** Reports that the engines are warm, then answers requests until the other side closes. */
    public void run() throws IOException {
        wire.send(Wire.Kind.READY, 0, List.of());
        while (true) {
            Wire.Frame frame;
            try {
                frame = wire.receive();
            } catch (EOFException schedulerGone) {
                return;
            }
            send(answer(frame));
        }
    }

    private Answer answer(Wire.Frame request) {
        Engine engine = engines.get(Language.ofCode(request.number()));
        if (engine == null) {
            throw new IllegalStateException("there is no engine for request " + request.number());
        }
        try {
            return engine.evaluate(request.texts(), this::ask);
        } catch (EvaluationFailed failed) {
            return new Answer.Failed(failed.name(), failed.sentence());
        }
    }

    private void send(Answer answer) throws IOException {
        switch (answer) {
            case Answer.Value(String text) -> wire.send(Wire.Kind.VALUE, 0, List.of(text));
            case Answer.Failed(String name, String message) -> wire.send(Wire.Kind.FAILED, 0, List.of(name, message));
            case Answer.Invalid(String message, String remedy) ->
                wire.send(Wire.Kind.INVALID, 0, List.of(message, remedy));
        }
    }

    private @Nullable String ask(int part, String key) {
        try {
            wire.send(Wire.Kind.QUESTION, part, List.of(key));
            Wire.Frame found = wire.receive();
            if (found.kind() == Wire.Kind.FAILED) {
                throw new EvaluationFailed(found.text(0), found.text(1));
            }
            return found.texts().isEmpty() ? null : found.text(0);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
