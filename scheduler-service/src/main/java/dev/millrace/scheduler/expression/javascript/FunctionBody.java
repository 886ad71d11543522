package dev.millrace.scheduler.expression.javascript;

import java.util.Optional;

/**
 * What a script became.
 *
 * @param function to be called
 * @param statements the body of the function, which returns; absent where the script is an expression
 */
record FunctionBody(String function, Optional<String> statements) {}
