/**
 * The content of a flow in any dialect: steps, their policies, inputs and options, as records that validate themselves.
 * Dialects create these records. Nothing here knows how a flow is run or uses another package of the flow engine.
 */
@NullMarked
package dev.millrace.scheduler.flow.core.definition;

import org.jspecify.annotations.NullMarked;
