"""Any plan, for properties of all of them."""

from hypothesis import strategies as st

from hearts.plans import LIMITS, Asking, Order, Plan, Wake

PLANS = st.builds(
    Plan,
    asking=st.sampled_from(Asking),
    limit=st.sampled_from(LIMITS),
    orders=st.sets(st.sampled_from(Order)).map(frozenset),
    wakes=st.sets(st.sampled_from(Wake)).map(frozenset),
    after_trick=st.integers(0, 12),
)
