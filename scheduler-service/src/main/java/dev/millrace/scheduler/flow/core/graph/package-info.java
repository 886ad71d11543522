/**
 * What a definition compiles to: lists of nodes that know what they need, use and let begin, and the keys that name their steps. Immutable, and
 * shared by all runs of a version; built from definitions alone.
 */
@NullMarked
package dev.millrace.scheduler.flow.core.graph;

import org.jspecify.annotations.NullMarked;
