/**
 * What a flow says, whatever the dialect: steps, what happens around them, inputs and options, as records that check themselves. Nothing here
 * knows how a flow is run; dialects make these records and know no other room of the flow engine.
 */
@NullMarked
package dev.millrace.scheduler.flow.core.definition;

import org.jspecify.annotations.NullMarked;
