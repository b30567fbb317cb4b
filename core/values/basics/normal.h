#pragma once
// Quantiles of the normal distribution.
//
//   deviations_within(0.95) == 1.96      // so many standard deviations to either side hold the share
//   largest_of(64) == 2.37               // the mean of the largest of 64 numbers, in standard deviations

namespace plimsoll {

double deviations_within(double share);   // 0 < share < 1
double largest_of(double numbers);        // Blom 1958; 0 of one

}  // namespace plimsoll
