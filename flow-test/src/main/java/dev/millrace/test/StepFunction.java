package dev.millrace.test;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** What a step does in a test in place of its code. */
@FunctionalInterface
public interface StepFunction {
    /**
     * Does one attempt.
     *
     * @param input the input of the job
     * @return the result, which Jackson writes as JSON; null is the JSON null
     * @throws Exception if the attempt fails, under the name of the class. A {@code JobException} of the worker library
     *     chooses the name, and says whether another attempt may help.
     */
    @Nullable Object call(JsonNode input) throws Exception;
}
