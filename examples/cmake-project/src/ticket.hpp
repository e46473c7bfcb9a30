#pragma once

// The next number; every caller gets another one.
int next_ticket();
