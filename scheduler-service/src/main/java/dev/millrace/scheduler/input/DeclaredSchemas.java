package dev.millrace.scheduler.input;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.text.bash.BashParameter;
import dev.millrace.text.go.GoSignature;
import dev.millrace.text.sql.SqlDialect;
import java.util.Optional;

/**
 * Makes schemas of scripts whose arguments their text declares, without a worker: those in SQL, Bash and Go. Such a schema
 * takes all that the job takes, and sometimes more.
 */
public final class DeclaredSchemas {
    /** Largest number of characters of a script that is read; a deployment waits for it. */
    static final int SOURCE_CHARS_MAX = 256 * 1024;

    private static final String DRAFT = "https://json-schema.org/draft/2020-12/schema";

    private DeclaredSchemas() {}

    /** The schema of a script's inputs; empty if its text declares none, or if it is too large. */
    public static Optional<InputSchema> of(Language language, String source) {
        if (source.length() > SOURCE_CHARS_MAX) {
            return Optional.empty();
        }
        return made(language, source)
                .map(ObjectNode::toString)
                .filter(text -> text.length() <= InputSchema.CHARS_MAX)
                .map(text -> new InputSchema(new Json(text), InputSchema.Origin.DECLARATION));
    }

    private static Optional<ObjectNode> made(Language language, String source) {
        return switch (language.name()) {
            case "postgresql" -> new SqlInputs(SqlDialect.POSTGRESQL).schema(source);
            case "mysql" -> new SqlInputs(SqlDialect.MYSQL).schema(source);
            case "sqlite" -> new SqlInputs(SqlDialect.SQLITE).schema(source);
            case "bash" -> BashInputs.schema(BashParameter.of(source));
            case "go" -> GoSignature.of(source).map(signature -> new GoInputs(signature).schema());
            default -> Optional.empty();
        };
    }

    /** The beginning of each schema. */
    static ObjectNode object(ObjectNode empty) {
        return empty.put("$schema", DRAFT).put("type", "object");
    }
}
