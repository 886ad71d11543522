/**
 * Compilers of definitions into the flow model: one package for each dialect, and the document readers that they share.
 */
@NullMarked
package dev.millrace.scheduler.flow.dialect;

import org.jspecify.annotations.NullMarked;
