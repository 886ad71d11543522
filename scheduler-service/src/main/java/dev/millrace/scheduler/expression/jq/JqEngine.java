package dev.millrace.scheduler.expression.jq;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.evaluator.Answer;
import dev.millrace.scheduler.expression.evaluator.Engine;
import dev.millrace.scheduler.runtime.BoundedCache;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import net.thisptr.jackson.jq.JsonQuery;
import net.thisptr.jackson.jq.exception.JsonQueryException;
import org.jspecify.annotations.Nullable;

/**
 * Engine for jq queries. It counts calls to enforce limits. The caller must end work that cannot be interrupted this
 * way, such as a regular expression.
 */
public final class JqEngine implements Engine {
    private static final int MESSAGE_CHARS_MAX = 500;
    private static final int QUERIES_KEPT_MAX = 500;
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private final BoundedCache<String, JsonQuery> compiled = new BoundedCache<>(QUERIES_KEPT_MAX);

    /** Evaluates a request whose parts are the query and its input. */
    @Override
    public Answer evaluate(List<@Nullable String> parts, Lookup values) {
        String source = Objects.requireNonNull(parts.get(0));
        try {
            return new Answer.Value(outputs(query(source), Objects.requireNonNull(parts.get(1))));
        } catch (Meter.Exceeded exceeded) {
            throw stopped(source, String.valueOf(exceeded.getMessage()));
        } catch (EvaluationFailed failed) {
            throw failed;
        } catch (StackOverflowError deep) {
            throw stopped(source, "it calls itself too deeply");
        } catch (JsonProcessingException | RuntimeException failed) {
            throw new EvaluationFailed(
                    "ExpressionFailed",
                    "The query \"" + source.strip() + "\" failed: " + shortened(String.valueOf(failed.getMessage()))
                            + ".");
        }
    }

    private JsonQuery query(String source) {
        Optional<JsonQuery> known = compiled.find(source);
        if (known.isPresent()) {
            return known.get();
        }
        try {
            JsonQuery query = JsonQuery.compile(source, Builtins.VERSION);
            compiled.put(source, query);
            return query;
        } catch (JsonQueryException invalid) {
            throw new EvaluationFailed("ExpressionFailed", JqQuery.notJqMessage(source, invalid));
        }
    }

    private static String outputs(JsonQuery query, String input) throws JsonProcessingException, JsonQueryException {
        Meter.start();
        StringBuilder list = new StringBuilder();
        StringBuilder first = new StringBuilder("null");
        query.apply(Builtins.scope(), MAPPER.readTree(input), output -> {
            Meter.tick();
            String text = output.toString();
            if (list.isEmpty()) {
                first.replace(0, first.length(), text);
            }
            list.append(list.isEmpty() ? "" : ",").append(text);
            if (list.length() > Meter.CHARS_MAX) {
                throw new Meter.Exceeded("its output has more than " + Meter.CHARS_MAX + " characters");
            }
        });
        return "{\"result\":" + first + ",\"resultList\":[" + list + "]}";
    }

    private static EvaluationFailed stopped(String source, String what) {
        return new EvaluationFailed(
                "ExpressionLimit", "The query \"" + source.strip() + "\" was stopped: " + what + ". " + JqQuery.REMEDY);
    }

    private static String shortened(String message) {
        return message.length() <= MESSAGE_CHARS_MAX ? message : message.substring(0, MESSAGE_CHARS_MAX) + "…";
    }
}
