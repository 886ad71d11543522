package dev.millrace.scheduler.expression.javascript;

import java.util.Optional;

/**
 * Function made from a script.
 *
 * @param function text of the function
 * @param statements body of the function, which returns; absent if the script is an expression
 */
record FunctionBody(String function, Optional<String> statements) {}
